; Owns the screens around a game: legal, title, type, level (6), ending and name entry (7).
; Row numbers in comments count frames from T, the frame that entered the screen.
.include "ram.inc"
.export modeLegal, modeTitle, modeLevelMenu, modeDemoStart, marker
.ifndef PRACTICE
.export modeTypeMenu
.endif
.export nameEntry, endingScreen, letterTile
.import waitFrame, waitFrames, sleepFor, clockRng
.import loadScreen, putSprite, drawResult
.importzp SCR_LEGAL, SCR_TITLE, SCR_TYPE, SCR_LEVEL, SCR_NAMES, SCR_ENDING
.ifdef PRACTICE
.import modeTypeMenu, navigate
.endif

.segment "CODE"

; ---- legal (6.1): deaf for 255 frames, then Start or 255 more ----
modeLegal:
    lda #0
    sta renderMode
    lda #SCR_LEGAL
    jsr loadScreen              ; T+1
    ldx #3
    jsr waitFrames
    lda #LEGAL_WAIT             ; T+4
    jsr sleepFor
    lda #0
    sta tmp2
@listen:
    lda newPad1
    cmp #BTN_START
    beq @leave
    inc tmp2
    beq @leave
    jsr waitFrame
    jmp @listen
@leave:
    inc gameMode
    rts

; ---- title (6.1): Start from T+5; the demo starts when frameHi reaches 5 ----
modeTitle:
    lda #0
    sta renderMode
    lda #SCR_TITLE
    jsr loadScreen
    ldx #3
    jsr waitFrames
    lda #0                      ; T+4
    sta frameHi
@listen:
    jsr waitFrame
    lda newPad1
    cmp #BTN_START
    beq @start
.ifdef PRACTICE
    bne @listen                 ; no demo
.endif
    lda frameHi
    cmp #5
    bne @listen
    lda #6
    sta gameMode
    rts
@start:
    lda #2
    sta gameMode
    rts

modeDemoStart:
    lda #5
    sta gameMode
    lda #0
    sta gameState
    sta gameType
    sta demoIndex
    sta demoHeld
    rts

; ---- game type and music (6.1): Start from T+4; PRACTICE has its own in practice.s ----
.ifndef PRACTICE
modeTypeMenu:
    lda #1
    sta renderMode
    lda #SCR_TYPE
    jsr loadScreen
    ldx #2
    jsr waitFrames
@frame:
    jsr typeSprites
    jsr waitFrame
    lda newPad1
    cmp #BTN_START
    bne @notStart
    lda #3
    sta gameMode
    rts
@notStart:
    cmp #BTN_B
    bne @notB
    lda #1
    sta gameMode
    rts
@notB:
    cmp #BTN_RIGHT
    bne @notRight
    ldx #1
    stx gameType
@notRight:
    cmp #BTN_LEFT
    bne @notLeft
    ldx #0
    stx gameType
@notLeft:
    cmp #BTN_DOWN
    bne @notDown
    ldx musicType
    cpx #3
    beq @frame
    inc musicType
@notDown:
    cmp #BTN_UP
    bne @frame
    ldx musicType
    beq @frame
    dec musicType
    jmp @frame

typeSprites:
    ldx gameType
    lda typeX,x
    tax
    ldy #87
    lda #$2A
    jsr marker
    lda musicType
    asl
    asl
    asl
    asl
    adc #135
    tay
    ldx #96
    lda #$2A
.endif
marker:                         ; tile A at X,Y, first sprite palette
    sta tmp0
    lda #0
    sta tmp1
    jmp putSprite

; ---- level menu (6.2): reads the pad from T+5, T+2 does not tick ----
modeLevelMenu:
    lda #1
    sta renderMode
    lda #0
    sta menuField
    lda #SCR_LEVEL
    jsr loadScreen              ; T+1
    jsr deafFrame               ; T+2
    ldx #2
    jsr waitFrames
    jsr levelSprites
    jsr waitFrame               ; T+5
@wrap:                          ; a level from the upper ten comes back reduced
    lda startLevel
    cmp #10
    bcc @frame
    sbc #10
    sta startLevel
    jmp @wrap
@frame:
    jsr navigate
    lda newPad1
    cmp #BTN_START
    bne @notStart
.ifdef PRACTICE
    lda menuField
    beq @listed
    lda customLevel
    sta startLevel
    jmp @go
@listed:
.endif
    lda heldPad1
    cmp #BTN_START|BTN_A        ; A held from before, and nothing else (6.2)
    bne @go
    lda startLevel
    clc
    adc #10
    sta startLevel
@go:
    lda #4
    sta gameMode
    lda #0
    sta gameState
    rts
@notStart:
    cmp #BTN_B
    bne @notB
    lda #2
    sta gameMode
    rts
@notB:
    jsr rollHole                ; the menu scrambles the random numbers (4.4)
    sta garbageHole
    jsr rollHole
    sta garbageHole2
    jsr levelSprites
    jsr waitFrame
    jmp @frame

rollHole:
    jsr clockRng
    lda rngHi
    and #$0F
    cmp #10
    bcs rollHole
    rts

deafFrame:                      ; one frame without ticks, as at every such screen load (3.1)
    inc nmiSkip
    jsr waitFrame
    dec nmiSkip
    rts

.ifndef PRACTICE
navigate:
    lda gameType
    beq @noToggle
    lda newPad1
    cmp #BTN_A
    bne @noToggle
    lda menuField
    eor #1
    sta menuField
@noToggle:
    lda newPad1
    ldy menuField
    bne @height
    ldx startLevel
    cmp #BTN_RIGHT
    bne @l1
    cpx #9
    beq @l1
    inc startLevel
@l1:
    cmp #BTN_LEFT
    bne @l2
    cpx #0
    beq @l2
    dec startLevel
@l2:
    cmp #BTN_DOWN
    bne @l3
    cpx #5
    bcs @l3
    txa
    adc #5
    sta startLevel
    rts
@l3:
    cmp #BTN_UP
    bne @l4
    cpx #5
    bcc @l4
    txa
    sbc #5
    sta startLevel
@l4:
    rts
@height:
    ldx startHeight
    cmp #BTN_RIGHT
    bne @h1
    cpx #5
    beq @h1
    inc startHeight
@h1:
    cmp #BTN_LEFT
    bne @h2
    cpx #0
    beq @h2
    dec startHeight
@h2:
    cmp #BTN_DOWN
    bne @h3
    cpx #3
    bcs @h3
    txa
    adc #3
    sta startHeight
    rts
@h3:
    cmp #BTN_UP
    bne @h4
    cpx #3
    bcc @h4
    txa
    sbc #3
    sta startHeight
@h4:
    rts
.endif

; The cursor is a frame of four sprites around the digit; it blinks while its field is active.
levelSprites:
    lda menuField
    bne @steady
    lda frameLo
    and #8
    bne @levelDone
@steady:
    lda startLevel
    cmp #10
    bcc @low
    sbc #10
@low:
    ldy #72
    cmp #5
    bcc @upper
    sbc #5
    ldy #88
@upper:
    asl
    asl
    asl
    asl
    clc
    adc #48
    jsr cursorBox
@levelDone:
    lda gameType
    beq @done
    lda menuField
    beq @steadyHeight
    lda frameLo
    and #8
    bne @done
@steadyHeight:
    lda startHeight
    ldy #72
    cmp #3
    bcc @upperHeight
    sbc #3
    ldy #88
@upperHeight:
    asl
    asl
    asl
    asl
    clc
    adc #168
    jsr cursorBox
@done:
    rts

cursorBox:                      ; corners around the cell whose digit is at A,Y
    sec
    sbc #4
    tax
    tya
    sec
    sbc #5
    tay
    lda #$2D
    sta tmp0
    lda #0
    sta tmp1
    jsr putSprite
    lda #$40                    ; the same corner, mirrored
    sta tmp1
    jsr plusX
    lda #$C0
    sta tmp1
    tya
    clc
    adc #8
    tay
    jsr putSprite
    lda #$80
    sta tmp1
    txa
    sec
    sbc #8
    tax
    jmp putSprite
plusX:
    txa
    clc
    adc #8
    tax
    jmp putSprite

; ---- ending (7): only its timing is the game's; the screen is our own ----
endingScreen:
    lda #OVER_WAIT
    jsr sleepFor
    lda #4
    sta renderMode
    lda #SCR_ENDING
    jsr loadScreen
    jsr drawResult
    ldx #3
    jsr waitFrames
    lda #$80                    ; T+4
    jsr sleepFor                ; T+132
    ldx #254                    ; Start counts from T+387, for large scores 16 frames later
    lda score+2
    cmp #$10
    bcc @small
    jsr waitFrames
    ldx #16
@small:
    jsr waitFrames
@listen:
    jsr waitFrame
    lda newPad1
    cmp #BTN_START
    bne @listen
    rts

; ---- name entry (7): any new Start from T+5 leaves it; A = rank, 4 more for B-type ----
nameEntry:
    sta nameRank
    lda #0
    sta nameCursor
    lda #2
    sta renderMode
    lda #SCR_NAMES
    jsr loadScreen
    jsr deafFrame
    ldx #2
    jsr waitFrames
@frame:
    jsr nameSprites
    jsr waitFrame
    lda newPad1
    and #BTN_START
    bne @leave
    lda newPad1
    and #BTN_A|BTN_RIGHT
    beq @notRight
    ldx nameCursor
    inx
    cpx #6
    bne @moved
    ldx #0
@moved:
    stx nameCursor
@notRight:
    lda newPad1
    and #BTN_B|BTN_LEFT
    beq @notLeft
    dec nameCursor
    bpl @notLeft
    lda #5
    sta nameCursor
@notLeft:
    lda frameLo
    and #7
    bne @frame
    ldx #1
    lda heldPad1
    and #BTN_DOWN
    bne @letter
    ldx #$FF
    lda heldPad1
    and #BTN_UP
    beq @frame
@letter:
    stx tmp0
    jsr nameStart
    tya
    clc
    adc nameCursor
    tay
    lda hiNames,y
    clc
    adc tmp0
    bmi @last
    cmp #$2B
    bcs @inRange
    cmp #$1B
    bcc @inRange
    ldx tmp0                    ; 00-1A and 2B are letters: skip the gap both ways
    bpl @blank
@last:
    lda #$1A
    bne @inRange
@blank:
    lda #$2B
@inRange:
    cmp #$2C
    bcc @store
    lda #0
@store:
    sta hiNames,y
    jmp @frame
@leave:
    rts

nameStart:                      ; Y = offset of the name of nameRank
    lda nameRank
    asl
    adc nameRank
    asl
    tay
    rts

nameSprites:                    ; the six letters, and a line under the current one
    lda #0
    sta tmp1
    sta cell
@letter:
    jsr nameStart
    tya
    clc
    adc cell
    tay
    lda hiNames,y
    jsr letterTile
    sta tmp0
    jsr nameSpot
    jsr putSprite
    inc cell
    lda cell
    cmp #6
    bne @letter
    lda frameLo
    and #8
    beq @done
    lda nameCursor
    sta cell
    lda #$2C
    sta tmp0
    jsr nameSpot
    tya
    clc
    adc #2
    tay
    jsr putSprite
@done:
    rts

nameSpot:                       ; X,Y = pixel place of letter `cell`
    lda nameRank
    and #3
    asl
    asl
    asl
    asl
    adc #135
    tay
    lda cell
    asl
    asl
    asl
    adc #80
    tax
    rts

letterTile:                     ; name code (1.3) -> tile
    cmp #$2B
    beq @done
    clc
    adc #9
    cmp #9
    bne @done
    lda #$24                    ; code 0 is a dash
@done:
    rts

.segment "RODATA"
typeX:
    .byte 56, 152
