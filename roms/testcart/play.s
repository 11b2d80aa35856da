; Owns the game itself: the stages of a frame (3.2) and the play states (3.3-3.5, 5, 7).
.include "ram.inc"
.export modePlay, demoPad
.import waitFrame, waitFrames, sleepFor, clockRng, pickPiece, clearFields
.import loadScreen, stagePiece, stageNext, stagePause
.import nameEntry, endingScreen
.import dxTable, dyTable, rowStart, pieceTile, turnLeft, turnRight, gravity, statIndex, spawnTable
.import pointsLo, pointsHi, garbageTiles, garbageRows
.importzp SCR_PLAY
.ifdef PRACTICE
.import beginSeed, toBinary
.endif

.segment "CODE"

modePlay:
    lda gameState
.ifdef PRACTICE
    beq @begin
    jmp stages
@begin:
.else
    bne stages
.endif

; ---- stages 0 and 1: screen and new game (6.5) ----
    lda #SCR_PLAY
    jsr loadScreen              ; Start frame +1
    ldx #3
    jsr waitFrames              ; +4
    lda #1
    sta gameState
    sta playState+BLOCK
    lda startLevel
    sta level+BLOCK
    lda #EMPTY
    ldx #0
@empty:
    sta field,x
    inx
    bne @empty
    txa
    ldx #13
@noStats:
    sta stats,x
    dex
    bpl @noStats
    sta vramRow+BLOCK
    sta fallTimer+BLOCK
    sta pieceY+BLOCK
    sta score+BLOCK
    sta score+BLOCK+1
    sta score+BLOCK+2
.ifdef PRACTICE
    sta score+3
    sta scoreBinary
    sta scoreBinary+1
    sta scoreBinary+2
    sta scoreBinary+3
.endif
    sta lines+BLOCK
    sta lines+BLOCK+1
    sta clearCounts
    sta clearCounts+1
    sta clearCounts+2
    sta clearCounts+3
    sta $BA
    sta $BB
    sta $BC
    sta spawnId
    lda #5
    sta pieceX+BLOCK
    lda #3
    sta renderMode
    lda #FIRST_DELAY
    sta dasY+BLOCK
.ifdef PRACTICE
    jsr beginSeed
.endif
    jsr nextFromPool
    sta piece+BLOCK
    tax
    jsr countPiece
    lda gameMode
    cmp #5
    beq @demo
    jsr clockRng
@demo:
    jsr nextFromPool
    sta nextPiece
    lda gameType
    beq @aType
    jsr garbage
@aType:
    jsr waitFrame

; ---- stages 2-8: one frame of play ----
stages:
    lda #2
    sta gameState
    inc fallTimer+BLOCK
    lda newPad1
    and #BTN_SELECT
    beq @noSelect
    lda nextHidden
    eor #1
    sta nextHidden
@noSelect:
    lda gameMode
    cmp #5
    bne @notDemo
    lda newPad1
    cmp #BTN_START
    beq @demoOver
    lda demoIndex
    cmp #40
    bcs @demoOver
    lda playState+BLOCK
    cmp #$0A
    bne @notDemo
@demoOver:
    lda #1
    sta gameMode
    rts
@notDemo:

    inc gameState               ; 3
    lda playState+BLOCK
    bne @alive
    jmp gameOver
@alive:

    inc gameState               ; 4
.if BLOCK
    ldx #BLOCK-1
@in:
    lda pieceX+BLOCK,x
    sta pieceX,x
    dex
    bpl @in
.endif
    lda newPad1
    sta newPad
    lda heldPad1
    sta heldPad
    jsr runState
.if BLOCK
    ldx #BLOCK-1
@out:
    lda pieceX,x
    sta pieceX+BLOCK,x
    dex
    bpl @out
.endif
    jsr stagePiece
    jsr stageNext

    lda #6
    sta gameState
    lda heldPad1
    cmp #BTN_A|BTN_B|BTN_SELECT|BTN_START
    bne @noReset
.ifdef PRACTICE
    lda #2                      ; back to the menu, not to the legal screen
.else
    lda #0
.endif
    sta gameMode
    rts
@noReset:
    inc gameState               ; 7
    cmp #BTN_DOWN|BTN_LEFT|BTN_RIGHT
    bne @noQuirk
    jsr waitFrame               ; the wait quirk (3.2)
@noQuirk:
    lda gameMode                ; a demo cannot be paused
    cmp #4
    bne @running
    lda renderMode
    cmp #3
    bne @running
    lda newPad1
    and #BTN_START
    beq @running
    lda playState+BLOCK
    cmp #$0A
    beq @running
    lda #0                      ; pause (3.6): only the NMI runs
    sta renderMode
    lda #5
    sta pauseSound
@paused:
    jsr stagePause
    jsr stageNext
    jsr waitFrame
    lda newPad1
    cmp #BTN_START
    bne @paused
    lda #3
    sta renderMode
    lda #0
    sta pauseSound
    sta vramRow+BLOCK
    jsr stagePiece              ; a picture only: no game logic in this frame
    jsr stageNext
@running:
    lda #2
    sta gameState
    jmp waitFrame

; ---- stage 3 after a game (7) ----
gameOver:
    jsr rankScore
    bcs @noName
    jsr nameEntry
    jsr waitFrame
@noName:
    lda #1
    sta playState+BLOCK
    jsr clearFields
    lda #0
    sta vramRow+BLOCK
    jsr waitFrame
    lda #3
    sta gameMode
    jmp waitFrame

; Inserts the score in its table. Carry clear: A = rank, 4 more for B-type.
rankScore:
    ldx gameType                ; X = score offset, Y = rank
    beq @table
    ldx #12
@table:
    ldy #0
@test:
    lda score+BLOCK+2
    cmp hiScores,x
    bne @differs
    lda score+BLOCK+1
    cmp hiScores+1,x
    bne @differs
    lda score+BLOCK
    cmp hiScores+2,x
@differs:
    bcs @insert
    inx
    inx
    inx
    iny
    cpy #3
    bne @test
    sec
    rts
@insert:
    lda gameType
    asl
    asl
    sta tmp1                    ; first entry of this type
    tya
    clc
    adc tmp1
    sta tmp0                    ; our entry
    lda tmp1
    adc #2
    sta tmp2                    ; entry to fill from the one above it
@shift:
    lda tmp2
    cmp tmp0
    beq @store
    tax
    lda hiLevels-1,x
    sta hiLevels,x
    jsr nameOffset
    ldx #6
@name:
    lda hiNames-6,y
    sta hiNames,y
    iny
    dex
    bne @name
    lda tmp2
    jsr scoreOffset
    ldx #3
@digits:
    lda hiScores-3,y
    sta hiScores,y
    iny
    dex
    bne @digits
    dec tmp2
    jmp @shift
@store:
    tax
    lda level+BLOCK
    sta hiLevels,x
    jsr nameOffset
    ldx #6
    lda #$2B
@blank:
    sta hiNames,y
    iny
    dex
    bne @blank
    lda tmp0
    jsr scoreOffset
    lda score+BLOCK+2
    sta hiScores,y
    lda score+BLOCK+1
    sta hiScores+1,y
    lda score+BLOCK
    sta hiScores+2,y
    lda tmp0
    clc
    rts

nameOffset:                     ; Y = 6 * tmp2
    lda tmp2
    jsr scoreOffset
    tya
    asl
    tay
    rts
scoreOffset:                    ; Y = 3 * A
    sta tmp3
    asl
    clc
    adc tmp3
    tay
    rts

; ---- B-type set-up (6.6): one garbage row a frame, from row 8 down ----
garbage:
    lda #$25
    sta lines+BLOCK
    lda #8
    sta rowA
@row:
    jsr waitFrame
    lda #9
    sta cell
@column:
    jsr clockRng
    lda rngHi
    and #7
    tax
    ldy rowA
    lda rowStart+2,y
    clc
    adc cell
    tay
    lda garbageTiles,x
    sta field,y
    dec cell
    bpl @column
@hole:
    jsr clockRng
    lda rngHi
    and #$0F
    cmp #10
    bcs @hole
    ldy rowA
    sty vramRow+BLOCK
    adc rowStart+2,y
    tay
    lda #EMPTY
    sta field,y
    inc rowA
    lda rowA
    cmp #20
    bne @row
    ldx startHeight
    ldy garbageRows,x
    lda #EMPTY
@blank:
    sta field,y
    dey
    cpy #$FF
    bne @blank
    lda #0
    sta vramRow+BLOCK
    rts

; ---- demo (6.7): a stand-in without the game's data ----
nextFromPool:                   ; the demo has its own pieces: 4.2 must not move for it
    lda gameMode
    cmp #5
    beq @demo
    jmp pickPiece
@demo:
    inc demoIndex
    lda demoIndex
    asl
    asl
    adc demoIndex
@mod7:
    cmp #7
    bcc @small
    sbc #7
    bcs @mod7
@small:
    tax
    lda spawnTable,x
    rts

demoPad:                        ; A = buttons: steer to a column that depends on the piece's number
    lda demoIndex
    and #7
    tax
    lda demoColumns,x
    cmp pieceX+BLOCK
    beq @there
    lda #BTN_RIGHT
    bcs @tap
    lda #BTN_LEFT
@tap:
    sta nmiTmp
    lda frameLo
    and #7
    bne @none
    lda nmiTmp
    rts
@there:
    lda #BTN_DOWN
    rts
@none:
    lda #0
    rts

.segment "RODATA"
demoColumns:
    .byte 1, 8, 4, 6, 2, 7, 3, 5
.segment "CODE"

; ---- play states (3.4) ----
runState:
    lda playState
    asl
    tax
    lda states,x
    sta ptr
    lda states+1,x
    sta ptr+1
    jmp (ptr)

.segment "RODATA"
states:
    .word stFinished, stControl, stLock, stRows, stNothing, stScore
    .word stGoal, stPass, stSpawn, stNothing, stCurtain, stPass
.segment "CODE"

stFinished:
    lda #HIDDEN
    sta piece
stNothing:
    rts

stPass:
    inc playState
    rts

; ---- state 1: control (3.3) ----
stControl:
    jsr shift
    jsr rotate
    jmp drop

shift:
    lda heldPad
    and #BTN_DOWN
    bne @done
    lda newPad
    and #BTN_LEFT|BTN_RIGHT
    bne @press
    lda heldPad
    and #BTN_LEFT|BTN_RIGHT
    beq @done
    inc dasX
    lda dasX
    cmp #DAS_FULL
    bcc @done
    lda #DAS_REPEAT
    sta dasX
    bne @move
@press:
    lda #0
    sta dasX
@move:
    lda pieceX
    sta saveX
    lda heldPad
    lsr
    bcc @left
    inc pieceX
    bcs @try
@left:
    lsr
    bcc @done
    dec pieceX
@try:
    jsr valid
    bcs @done
    lda saveX
    sta pieceX
    lda #DAS_FULL               ; wall charge
    sta dasX
@done:
    rts

rotate:
    ldx piece
    stx saveId
    lda newPad
    bmi @right
    and #BTN_B
    beq @done
    lda turnLeft,x
    jmp @try
@right:
    lda turnRight,x
@try:
    sta piece
    jsr valid
    bcs @done
    lda saveId
    sta piece
@done:
    rts

drop:
    lda dasY
    beq @idle
    bpl @soft
    lda newPad                  ; initial delay of the first piece
    and #BTN_DOWN
    bne @endDelay
    inc dasY
    rts
@endDelay:
    lda #0
    sta dasY
@idle:
    lda heldPad
    and #BTN_LEFT|BTN_RIGHT
    bne @gravity
    lda newPad
    and #$0F
    cmp #BTN_DOWN
    bne @gravity
    lda #1
    sta dasY
    bne @gravity
@soft:
    lda heldPad
    and #$0F
    cmp #BTN_DOWN
    beq @held
    lda #0
    sta dasY
    sta holdDown
    beq @gravity
@held:
    inc dasY
    lda dasY
    cmp #3
    bcc @gravity
    lda #1
    sta dasY
    inc holdDown
    bne @fall
@gravity:
    lda #1
    ldx level
    cpx #29
    bcs @speed
    lda gravity,x
@speed:
    sta dropSpeed
    lda fallTimer
    sec
    sbc dropSpeed
    bpl @fall
    rts
@fall:
    lda #0
    sta fallTimer
    lda pieceY
    sta saveY
    inc pieceY
    jsr valid
    bcs @done
    lda saveY
    sta pieceY
    lda #2
    sta playState
    jsr topRow
    cmp vramRow                 ; signed compare; both are small here
    bpl @done
    sta vramRow
@done:
    rts

topRow:                         ; A = max(0, Y-2), first row the piece can have filled
    lda pieceY
    sec
    sbc #2
    bpl @done
    lda #0
@done:
    rts

; Carry set: the piece fits (2.2).
valid:
    lda piece
    asl
    asl
    tax
    lda #4
    sta cell
@cell:
    lda pieceX
    clc
    adc dxTable,x
    cmp #10
    bcs @no
    sta tmp0
    lda pieceY
    clc
    adc dyTable,x
    clc
    adc #2
    cmp #22
    bcs @no
    tay
    lda rowStart,y
    clc
    adc tmp0
    tay
    lda field,y
    cmp #EMPTY
    bcc @no
    inx
    dec cell
    bne @cell
    sec
    rts
@no:
    clc
    rts

; ---- state 2: lock ----
stLock:
    jsr valid
    bcs @fits
    lda #$0A
    sta playState
    lda #$F0
    sta curtain
    rts
@fits:
    lda vramRow
    cmp #DRAWN
    bcc @done
    lda piece
    asl
    asl
    tax
    lda #4
    sta cell
@cell:
    lda pieceY
    clc
    adc dyTable,x
    tay
    iny
    iny
    lda rowStart,y
    clc
    adc pieceX
    clc
    adc dxTable,x
    tay
    stx tmp0
    ldx piece
    lda pieceTile,x
    sta field,y
    ldx tmp0
    inx
    dec cell
    bne @cell
    lda #0
    sta lineIndex
    jsr topRow
    sta vramRow
    lda #3
    sta playState
@done:
    rts

; ---- state 3: one row a frame ----
stRows:
    lda vramRow
    cmp #DRAWN
    bcc @done
    jsr topRow
    clc
    adc lineIndex
    sta rowA
    tay
    lda rowStart+2,y
    tay
    ldx #10
@test:
    lda field,y
    cmp #EMPTY
    beq @notFull
    iny
    dex
    bne @test
    inc fullCount
    ldx lineIndex
    lda rowA
    sta fullRow,x
    tay
    lda rowStart+2,y            ; row 0 starts at FF here and so moves the whole page (2.5)
    tay
    dey
@move:
    lda field,y
    sta field+10,y
    dey
    cpy #$FF
    bne @move
    lda #EMPTY
    ldx #9
@top:
    sta field,x
    dex
    bpl @top
    lda #HIDDEN
    sta piece
    bne @next
@notFull:
    ldx lineIndex
    lda #0
    sta fullRow,x
@next:
    inc lineIndex
    lda lineIndex
    cmp #4
    bcc @done
    lda #0
    sta vramRow
    sta clearStep
    ldx #5
    lda fullCount
    beq @state
    dex
@state:
    stx playState
@done:
    rts

; ---- state 5: lines, level, score (5) ----
stScore:
    ldx fullCount
    beq @soft
    inc clearCounts-1,x         ; BCD with a low-digit fix only
    lda clearCounts-1,x
    and #$0F
    cmp #10
    bcc @counted
    lda clearCounts-1,x
    adc #5
    sta clearCounts-1,x
@counted:
    lda gameType
    beq @aType
    lda lines
    sec
    sbc fullCount
    bpl @left
    lda #0
    beq @storeLeft
@left:
    sta tmp0
    and #$0F
    cmp #10
    lda tmp0
    bcc @storeLeft
    sbc #6
@storeLeft:
    sta lines
    jmp @soft
@aType:
    stx tmp2
@line:
    jsr addLine
    dec tmp2
    bne @line

@soft:
    lda holdDown                ; 5.2
    cmp #2
    bcc @points
    clc
    lda score
    sbc #0                      ; carry clear: minus one
    clc
    adc holdDown
    sta score
    and #$0F
    cmp #10
    bcc @softLow
    lda score
    adc #5
    sta score
@softLow:
    lda score
    and #$F0
    cmp #$A0
    bcc @points
    adc #$5F
    sta score
    inc score+1

@points:
    ldx fullCount               ; 5.3: level+1 additions, the cap tested in each
    lda level
    sta tmp2
    inc tmp2
@add:
    lda score
    clc
    adc pointsLo,x
    cmp #$A0
    bcc @lowDone
    adc #$5F
    inc score+1
@lowDone:
    sta score
    lda score+1
    clc
    adc pointsHi,x
    sta score+1
    and #$0F
    cmp #10
    bcc @middle
    lda score+1
    adc #5
    sta score+1
@middle:
    lda score+1
    cmp #$A0
    bcc @highDone
    adc #$5F
    sta score+1
    inc score+2
@highDone:
    lda score+2
    and #$0F
    cmp #10
    bcc @high
    lda score+2
    adc #5
    sta score+2
@high:
    lda score+2
    cmp #$A0
    bcc @uncapped
.ifdef PRACTICE
    adc #$5F                    ; no cap: a fourth byte counts on
    sta score+2
    inc score+3
    lda score+3
    and #$0F
    cmp #10
    bcc @uncapped
    lda score+3
    adc #5
    sta score+3
.else
    lda #$99
    sta score
    sta score+1
    sta score+2
.endif
@uncapped:
    dec tmp2
    bne @add
.ifdef PRACTICE
    jsr toBinary
.endif
    lda #0
    sta fullCount
    sta holdDown
    inc playState
    rts

addLine:
    inc lines
    lda lines
    and #$0F
    cmp #10
    bcc @checkLevel
    lda lines
    adc #5
    sta lines
    cmp #$A0
    bcc @checkLevel
    lda #0
    sta lines
    inc lines+1
@checkLevel:
    lda lines
    and #$0F
    bne @done
    lda lines+1                 ; (hundreds, tens) read as one hex byte (5.1)
    sta tmp0
    lda lines
    lsr tmp0
    ror
    lsr tmp0
    ror
    lsr tmp0
    ror
    lsr tmp0
    ror
    sta tmp0
    lda level
    sec
    sbc tmp0
    bpl @done
    inc level
@done:
    rts

; ---- state 6: A-type goes on, B-type may be won (6.6) ----
stGoal:
    lda gameType
    beq @on
    lda lines
    bne @on
    lda #20
    jsr sleepFor
    jsr endingScreen
    jmp finish
@on:
    inc playState
    rts

; ---- state 8: spawn (4.3) ----
stSpawn:
    lda vramRow
    cmp #DRAWN
    bcc @done
    lda #0
    sta fallTimer
    sta pieceY
    sta dasY
    lda #1
    sta playState
    lda #5
    sta pieceX
    ldx nextPiece
    stx piece
    jsr countPiece
    jsr nextFromPool
    sta nextPiece
@done:
    rts

countPiece:                     ; statistics of spawn id X, BCD 00-99 and hundreds
    ldy statIndex,x
    lda stats,y
    clc
    adc #1
    sta stats,y
    and #$0F
    cmp #10
    bcc @done
    lda stats,y
    adc #5
    cmp #$A0
    bcc @store
    lda stats+1,y
    adc #0
    sta stats+1,y
    lda #0
@store:
    sta stats,y
@done:
    rts

; ---- state 0A: curtain and the way out (7); PRACTICE has no curtain and no ending ----
stCurtain:
.ifdef PRACTICE
    jmp @listen
.endif
    lda curtain
    cmp #$14
    beq @closed
    lda frameLo
    and #3
    bne @done
    ldy curtain
    bmi @tick
    sty vramRow
    lda #HIDDEN
    sta piece
    lda rowStart+2,y
    tay
    ldx #10
    lda #CURTAIN
@fill:
    sta field,y
    iny
    dex
    bne @fill
@tick:
    inc curtain
@done:
    rts
@closed:
    lda score+2
    cmp #3
    bcc @listen
    jsr endingScreen
    jmp finish
@listen:
    lda newPad1
    cmp #BTN_START
    bne @done
finish:                         ; the press is used up: it must not pause or leave the name entry
    lda #0
    sta playState
    sta newPad1
    rts
