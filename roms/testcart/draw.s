; Owns everything that ends up on the screen: whole screens, the drawing in the NMI, sprites.
.include "ram.inc"
.export nmiDraw, loadScreen, putSprite, drawResult
.export stagePiece, stageNext, stagePause
.import waitFrame, letterTile
.import screens, dxTable, dyTable, rowStart, pieceTile, rowAddrHi, rowAddrLo
.import levelColors, flashColors, statAddrHi, statAddrLo, commonPalette
.importzp SCR_LEVEL, SCR_NAMES, SCR_PLAY
.ifdef PRACTICE
.import menuDigits
.endif

.segment "CODE"

; ---- NMI drawing (3.1): what it does to the player block is part of the rules ----
nmiDraw:
    lda renderMode
    cmp #3
    beq @play
.ifdef PRACTICE
    jmp menuDigits
.else
    rts
.endif
@play:
    lda playState+BLOCK
    cmp #4
    beq clearAnimation
    ldx vramRow+BLOCK
    ldy #4
    sty nmiTmp
@row:
    cpx #$15
    bcs @rowsDone
    cpx #$14
    bcs @noDraw
    jsr drawRow
@noDraw:
    inx
    cpx #$14
    bcc @next
    ldx #DRAWN
@next:
    dec nmiTmp
    bne @row
@rowsDone:
    stx vramRow+BLOCK
    jmp drawHud

clearAnimation:                 ; five steps, two cells each, from the middle outwards
    lda frameLo
    and #3
    bne @done
    ldy #0
@line:
    ldx fullRow+BLOCK,y
    beq @next                   ; also a completed row 0 (2.5)
    lda rowAddrHi,x
    sta PPUADDR
    lda rowAddrLo,x
    clc
    adc #4
    sec
    sbc clearStep+BLOCK
    sta PPUADDR
    lda #EMPTY
    sta PPUDATA
    lda rowAddrHi,x
    sta PPUADDR
    lda rowAddrLo,x
    clc
    adc #5
    clc
    adc clearStep+BLOCK
    sta PPUADDR
    lda #EMPTY
    sta PPUDATA
@next:
    iny
    cpy #4
    bne @line
    inc clearStep+BLOCK
    lda clearStep+BLOCK
    cmp #5
    bcc @done
    lda #5
    sta playState+BLOCK
@done:
    lda #0
    sta vramRow+BLOCK
    ; falls through

; Score, lines, level in every frame, one of the seven statistics per frame.
drawHud:
    lda #$20
    sta PPUADDR
    lda #$73
    sta PPUADDR
    lda lines+BLOCK+1
    sta PPUDATA
    lda lines+BLOCK
    jsr twoDigits
    lda #$21
    sta PPUADDR
    lda #$18
    sta PPUADDR
    lda score+BLOCK+2
    jsr twoDigits
    lda score+BLOCK+1
    jsr twoDigits
    lda score+BLOCK
    jsr twoDigits
    lda #$22
    sta PPUADDR
    lda #$BA
    sta PPUADDR
    lda levelTens
    sta PPUDATA
    lda levelOnes
    sta PPUDATA
    lda frameLo
    and #7
    cmp #7
    beq @noStat
    tax
    lda statAddrHi,x
    sta PPUADDR
    lda statAddrLo,x
    sta PPUADDR
    txa
    asl
    tax
    lda stats+1,x
    sta PPUDATA
    lda stats,x
    jsr twoDigits
@noStat:
    lda #$3F                    ; the backdrop flickers while four lines vanish
    sta PPUADDR
    ldx #0
    stx PPUADDR
    lda playState+BLOCK
    cmp #4
    bne @backdrop
    lda fullCount+BLOCK
    cmp #4
    bne @backdrop
    lda frameLo
    lsr
    lsr
    and #3
    tax
@backdrop:
    lda flashColors,x
    sta PPUDATA
    lda redraw
    and #2
    beq noColors
    eor redraw
    sta redraw
    lda levelOnes
    asl
    asl
    tax
    lda #$3F
    sta PPUADDR
    lda #$09
    sta PPUADDR
    jsr threeColors
    lda #$3F
    sta PPUADDR
    lda #$19
    sta PPUADDR
threeColors:
    lda levelColors,x
    sta PPUDATA
    lda levelColors+1,x
    sta PPUDATA
    lda levelColors+2,x
    sta PPUDATA
noColors:
    rts

twoDigits:                      ; BCD byte A
    tay
    lsr
    lsr
    lsr
    lsr
    sta PPUDATA
    tya
    and #$0F
    sta PPUDATA
    rts

drawRow:                        ; field row X
    lda rowAddrHi,x
    sta PPUADDR
    lda rowAddrLo,x
    sta PPUADDR
    ldy rowStart+2,x
.repeat 10, i
    lda field+i,y
    sta PPUDATA
.endrepeat
    rts

; ---- whole screens: A = screen number; takes one frame, drawing is off in between ----
loadScreen:
    sta tmp2
    lda #0
    sta maskCopy
    jsr waitFrame
    lda tmp2
    asl
    tax
    lda screens,x
    sta ptr
    lda screens+1,x
    sta ptr+1
    lda #$FF
    sta shownLevel

    lda #$3F
    sta PPUADDR
    lda #0
    sta PPUADDR
    tax
@palette:
    lda commonPalette,x
    sta PPUDATA
    inx
    cpx #32
    bne @palette

    ldy #0                      ; background: two rows of two tiles each, repeated
    lda (ptr),y
    sta tmp0
    iny
    lda (ptr),y
    sta ptr2
    iny
    lda (ptr),y
    sta ptr2+1
    lda #$20
    sta PPUADDR
    lda #0
    sta PPUADDR
    lda #15
    sta tmp3
@rows:
    ldx tmp0
    jsr fillRow
    beq @same
    inx
    inx
@same:
    jsr fillRow
    dec tmp3
    bne @rows

    lda #$23                    ; attributes
    sta PPUADDR
    lda #$C0
    sta PPUADDR
    ldy #0
@attr:
    lda (ptr2),y
    sta PPUDATA
    iny
    cpy #64
    bne @attr

    lda ptr
    clc
    adc #3
    sta ptr
    bcc @command
    inc ptr+1
@command:
    ldy #0
    lda (ptr),y
    beq @end
    cmp #2
    beq @box
    cmp #3
    beq @fill
    jsr doText
    jmp @advance
@box:
    jsr doBox
    jmp @advance
@fill:
    jsr doFill
@advance:                       ; Y = length of the command
    tya
    clc
    adc ptr
    sta ptr
    bcc @command
    inc ptr+1
    bne @command
@end:
    lda tmp2
    cmp #SCR_LEVEL
    beq @table
    cmp #SCR_NAMES
    beq @table
    cmp #SCR_PLAY
    bne @ready
    jsr drawTop
    jmp @ready
@table:
    jsr drawHiTable
@ready:
    lda #$1E
    sta maskCopy
    rts

fillRow:                        ; 32 cells of tile X and, on a textured screen, X+1; zero flag: plain
    txa
    tay
    cpx #$2B
    beq @plain
    iny
@plain:
    lda #4                      ; unrolled: a whole screen must be built within one frame
    sta tmp1
@pairs:
.repeat 4
    stx PPUDATA
    sty PPUDATA
.endrepeat
    dec tmp1
    bne @pairs
    cpx #$2B
    rts

; The commands. On entry Y = 0 at the command byte, on exit Y = its length.
setAddr:
    iny
    lda (ptr),y
    sta PPUADDR
    iny
    lda (ptr),y
    sta PPUADDR
    rts

doText:                         ; 1, address, tiles, FF
    jsr setAddr
    iny
@char:
    lda (ptr),y
    iny
    cmp #$FF
    beq @done
    sta PPUDATA
    jmp @char
@done:
    rts

; Address, width, height into ptr2, tmp0, tmp1.
rectArgs:
    ldy #1
    lda (ptr),y
    sta ptr2+1
    iny
    lda (ptr),y
    sta ptr2
    iny
    lda (ptr),y
    sta tmp0
    iny
    lda (ptr),y
    sta tmp1
rectRow:                        ; address of the row to the PPU, ptr2 to the next one
    lda ptr2+1
    sta PPUADDR
    lda ptr2
    sta PPUADDR
    clc
    adc #32
    sta ptr2
    bcc @done
    inc ptr2+1
@done:
    rts

doFill:                         ; 3, address, width, height, tile
    jsr rectArgs
    iny
@row:
    lda (ptr),y
    ldx tmp0
@cell:
    sta PPUDATA
    dex
    bne @cell
    dec tmp1
    beq @done
    jsr rectRow
    jmp @row
@done:
    iny
    rts

doBox:                          ; 2, address, inner width, inner height; frame tiles 30-37
    jsr rectArgs
    lda #$30
    jsr boxRow
@row:
    jsr rectRow
    lda #$33
    sta PPUDATA
    ldx tmp0
    lda #$2B
@blank:
    sta PPUDATA
    dex
    bne @blank
    lda #$34
    sta PPUDATA
    dec tmp1
    bne @row
    jsr rectRow
    lda #$35
    jsr boxRow
    ldy #5
    rts

boxRow:                         ; left A, middle A+1, right A+2
    sta PPUDATA
    clc
    adc #1
    ldx tmp0
@cell:
    sta PPUDATA
    dex
    bne @cell
    clc
    adc #1
    sta PPUDATA
    rts

; ---- parts that depend on RAM ----
drawTop:                        ; best score of the type, and the type itself
    lda #$20
    sta PPUADDR
    lda #$B8
    sta PPUADDR
    ldx #0
    lda gameType
    beq @type
    ldx #12
@type:
    jsr sixDigits
    lda #$20
    sta PPUADDR
    lda #$C3
    sta PPUADDR
    lda gameType
    clc
    adc #$0A
    sta PPUDATA
    rts

sixDigits:                      ; hiScores+X
    lda hiScores,x
    jsr twoDigits
    lda hiScores+1,x
    jsr twoDigits
    lda hiScores+2,x
    jmp twoDigits

drawHiTable:                    ; three entries at rows 17, 19, 21
    lda gameType
    asl
    asl
    sta cell                    ; entry
    lda #0
    sta tmp1
@entry:
    ldx tmp1
    lda #$22
    sta PPUADDR
    lda tableLo,x
    sta PPUADDR
    inx
    stx PPUDATA
    lda #$2B
    sta PPUDATA
    lda cell
    asl
    adc cell
    sta tmp0                    ; 3 * entry
    asl
    tax
    ldy #6
@name:
    lda hiNames,x
    jsr letterTile
    sta PPUDATA
    inx
    dey
    bne @name
    lda #$2B
    sta PPUDATA
    sta PPUDATA
    ldx tmp0
    jsr sixDigits
    lda #$2B
    sta PPUDATA
    sta PPUDATA
    ldx cell
    lda hiLevels,x
    jsr split
    stx PPUDATA
    sta PPUDATA
    inc cell
    inc tmp1
    lda tmp1
    cmp #3
    bne @entry
    rts

.segment "RODATA"
tableLo:                        ; column 8 of rows 17, 19, 21
    .byte $28, $68, $A8
.segment "CODE"

split:                          ; A -> X tens, A ones
    ldx #0
@tens:
    cmp #10
    bcc @done
    sbc #10
    inx
    bne @tens
@done:
    rts

drawResult:                     ; the score on the ending screen
    lda #$22
    sta PPUADDR
    lda #$2D
    sta PPUADDR
    lda score+2
    jsr twoDigits
    lda score+1
    jsr twoDigits
    lda score
    jmp twoDigits

; ---- sprites ----

; Tile tmp0 with attributes tmp1 at X,Y; keeps X and Y.
putSprite:
    txa
    pha
    tya
    ldx oamPos
    sta oam,x
    lda tmp0
    sta oam+1,x
    lda tmp1
    sta oam+2,x
    pla
    sta oam+3,x
    pha
    txa
    clc
    adc #4
    sta oamPos
    pla
    tax
    rts

; The falling piece. Also notices a new level, however it got into RAM.
stagePiece:
    lda level+BLOCK
    cmp shownLevel
    beq @sameLevel
    sta shownLevel
    jsr split
    stx levelTens
    sta levelOnes
    lda redraw
    ora #2
    sta redraw
@sameLevel:
    lda piece+BLOCK
    cmp #HIDDEN
    bcs @done
    tax
    lda pieceTile,x
    sta tmp0
    lda #2
    sta tmp1
    txa
    asl
    asl
    tax
    lda #4
    sta cell
@cell:
    lda pieceY+BLOCK
    clc
    adc dyTable,x
    bmi @next                   ; above the field
    asl
    asl
    asl
    adc #47
    tay
    lda pieceX+BLOCK
    clc
    adc dxTable,x
    asl
    asl
    asl
    adc #96
    jsr spriteAt
@next:
    inx
    dec cell
    bne @cell
@done:
    rts

spriteAt:                       ; as putSprite, with A for X; keeps X
    stx tmp3
    tax
    jsr putSprite
    ldx tmp3
    rts

stageNext:                      ; in the middle of the next box, columns 24-29
    lda nextHidden
    bne @done
    lda #2
    sta tmp1
    ldx nextPiece
    lda pieceTile,x
    sta tmp0
    ldy #$D4
    cpx #$0A
    beq @even
    cpx #$12
    bne @odd
@even:                          ; O and I are an even number of cells wide
    ldy #$D8
@odd:
    sty saveX
    txa
    asl
    asl
    tax
    lda #4
    sta cell
@cell:
    lda dyTable,x
    asl
    asl
    asl
    clc
    adc #$77
    tay
    lda dxTable,x
    asl
    asl
    asl
    clc
    adc saveX
    jsr spriteAt
    inx
    dec cell
    bne @cell
@done:
    rts

stagePause:
    lda #0
    sta tmp1
    ldx #4
@letter:
    lda pauseText,x
    sta tmp0
    lda pauseX,x
    ldy #119
    jsr spriteAt
    dex
    bpl @letter
    rts

.segment "RODATA"
pauseText:
    .byte $19, $0A, $1E, $1C, $0E
pauseX:
    .byte 116, 124, 132, 140, 148
