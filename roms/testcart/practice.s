; Owns what only the build with -DPRACTICE has (9.3): its menu, seeds, the binary score. The other builds take nothing from here.
.include "ram.inc"
.ifdef PRACTICE
.export modeTypeMenu, navigate, menuDigits, beginSeed, pickSeeded, toBinary
.import waitFrame, waitFrames, loadScreen, marker, spawnTable
.importzp SCR_TYPE

SEED_ROW = 2
LAST_ROW = 3
SEED_AT  = $21D2                ; row 14, column 18
LEVEL_AT = $2136                ; row 9, column 22

.segment "CODE"

; ---- the menu: Up and Down choose a row, Select draws a seed, Left and Right a digit of it, Up and Down change the digit ----
modeTypeMenu:
    lda #1
    sta renderMode
    lda #0
    sta seedDigit
    lda #SCR_TYPE
    jsr loadScreen
    ldx #2
    jsr waitFrames
@frame:
    jsr menuSprites
    jsr waitFrame
    lda newPad1
    cmp #BTN_START
    bne @notStart
    ldx #0
    lda menuRow
    cmp #SEED_ROW
    bne @unseeded
    inx
@unseeded:
    stx seeded
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
    jsr menuPress
    jmp @frame

menuPress:                      ; A = the buttons that are newly pressed
    ldx menuRow
    cpx #SEED_ROW
    bne @rows
    cmp #BTN_SELECT
    bne @notSelect
    ldx rngHi
    stx seed
    ldx rngLo
    stx seed+1
    ldx frameLo
    stx seed+2
    rts
@notSelect:
    ldx seedDigit
    cmp #BTN_RIGHT
    bne @notRight
    cpx #6
    beq @done
    inc seedDigit
    rts
@notRight:
    cmp #BTN_LEFT
    bne @notLeft
    cpx #0
    beq @done
    dec seedDigit
    rts
@notLeft:
    cpx #0
    bne changeDigit
@rows:
    ldx menuRow
    cmp #BTN_DOWN
    bne @notDown
    cpx #LAST_ROW
    beq @done
    inc menuRow
    rts
@notDown:
    cmp #BTN_UP
    bne @done
    cpx #0
    beq @done
    dec menuRow
@done:
    rts

changeDigit:                    ; digit X, up or down by one, without a carry
    ldy #$01
    cmp #BTN_UP
    beq @change
    ldy #$0F
    cmp #BTN_DOWN
    beq @change
    rts
@change:
    sty tmp0
    dex
    txa
    lsr
    tax
    bcs @low
    tya
    asl
    asl
    asl
    asl
    clc
    adc seed,x
    sta seed,x
    rts
@low:
    lda seed,x
    and #$F0
    sta tmp1
    lda seed,x
    clc
    adc tmp0
    and #$0F
    ora tmp1
    sta seed,x
    rts

menuSprites:                    ; a mark before the row, and one under the digit
    lda menuRow
    asl
    asl
    asl
    asl
    clc
    adc #79
    tay
    ldx #60
    lda #$2A
    jsr marker
    lda seedDigit
    beq @done
    asl
    asl
    asl
    clc
    adc #136
    tax
    ldy #119
    lda #$2C
    jmp marker
@done:
    rts

; ---- level menu: Right of 9 lies a level of one's own, which Up and Down change ----
navigate:
    lda newPad1
    ldx menuField
    bne @custom
    ldx startLevel
    cmp #BTN_RIGHT
    bne @notRight
    cpx #9
    beq @toCustom
    inc startLevel
    rts
@toCustom:
    inc menuField
    rts
@notRight:
    cmp #BTN_LEFT
    bne @notLeft
    cpx #0
    beq @done
    dec startLevel
    rts
@notLeft:
    cmp #BTN_DOWN
    bne @notDown
    cpx #5
    bcs @done
    txa
    adc #5
    sta startLevel
    rts
@notDown:
    cmp #BTN_UP
    bne @done
    cpx #5
    bcc @done
    txa
    sbc #5
    sta startLevel
@done:
    rts
@custom:
    cmp #BTN_LEFT
    bne @stays
    dec menuField
    rts
@stays:
    cmp #BTN_UP
    bne @notHigher
    inc customLevel
@notHigher:
    cmp #BTN_DOWN
    bne @done
    dec customLevel
    rts

; ---- drawing in the NMI: the seed and the level of one's own ----
menuDigits:
    lda renderMode
    cmp #1
    bne @done
    lda gameMode
    cmp #2
    beq @seed
    cmp #3
    bne @done
    lda #>LEVEL_AT
    sta PPUADDR
    lda #<LEVEL_AT
    sta PPUADDR
    lda customLevel
    ldx #0
@hundreds:
    cmp #100
    bcc @tens
    sbc #100
    inx
    bne @hundreds
@tens:
    stx PPUDATA
    ldx #0
@ten:
    cmp #10
    bcc @ones
    sbc #10
    inx
    bne @ten
@ones:
    stx PPUDATA
    sta PPUDATA
@done:
    rts
@seed:
    lda #>SEED_AT
    sta PPUADDR
    lda #<SEED_AT
    sta PPUADDR
    ldx #0
@byte:
    lda seed,x
    lsr
    lsr
    lsr
    lsr
    sta PPUDATA
    lda seed,x
    and #$0F
    sta PPUDATA
    inx
    cpx #3
    bne @byte
    rts

; ---- the generator of a seeded game: our own, not that of any other cartridge (README.md) ----
beginSeed:
    ldx #2
@copy:
    lda seed,x
    sta seedState,x
    dex
    bpl @copy
    lda seedState+1             ; a register that would run empty
    and #$FE
    ora seedState
    bne @done
    lda #$89
    sta seedState
    lda #$88
    sta seedState+1
@done:
    rts

pickSeeded:                     ; as 4.2, but with sixteen clocks a pick and none a frame
    ldy #16
@clocks:
    jsr clockSeed
    dey
    bne @clocks
    inc seedState+2
    lda seedState
    clc
    adc seedState+2
    and #7
    cmp #7
    beq @again
    tax
    lda spawnTable,x
    cmp spawnId
    bne @done
@again:
    jsr clockSeed
    lda seedState
    and #7
    clc
    adc spawnId
@mod7:
    cmp #7
    bcc @small
    sbc #7
    bcs @mod7
@small:
    tax
    lda spawnTable,x
@done:
    sta spawnId
    rts

clockSeed:
    lda seedState
    eor seedState+1
    lsr
    lsr
    ror seedState
    ror seedState+1
    rts

; ---- the score once more, in binary ----
toBinary:
    lda #0
    ldx #3
@zero:
    sta scoreBinary,x
    dex
    bpl @zero
    ldx #3
@byte:
    lda score,x
    lsr
    lsr
    lsr
    lsr
    jsr addDigit
    lda score,x
    and #$0F
    jsr addDigit
    dex
    bpl @byte
    rts

addDigit:                       ; scoreBinary = 10 * scoreBinary + A; keeps X
    pha
    jsr double
    ldy #3
@keep:
    lda scoreBinary,y
    sta product,y
    dey
    bpl @keep
    jsr double
    jsr double
    pla
    clc
    adc product
    sta product
    bcc @sum
    inc product+1
    bne @sum
    inc product+2
    bne @sum
    inc product+3
@sum:
    clc
.repeat 4, i
    lda scoreBinary+i
    adc product+i
    sta scoreBinary+i
.endrepeat
    rts

double:
    asl scoreBinary
    rol scoreBinary+1
    rol scoreBinary+2
    rol scoreBinary+3
    rts
.endif
