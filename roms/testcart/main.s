; Owns reset, the NMI (3.1), the wait, the random numbers (4.1, 4.2) and the mode dispatch.
.include "ram.inc"
.export waitFrame, waitFrames, sleepFor, clockRng, pickPiece, clearFields
.import modeLegal, modeTitle, modeTypeMenu, modeLevelMenu, modePlay, modeDemoStart
.import nmiDraw, spawnTable, hiDefaults, demoPad
.ifdef PRACTICE
.import pickSeeded
.endif

.segment "HEADER"
    .byte "NES", $1A, 2, 1, $00, $00
    .byte 0, TV_SYSTEM
    .res 6, 0

.segment "VECTORS"
    .word nmi, reset, irq

.segment "CODE"

reset:
    sei
    cld
    ldx #$40
    stx JOY2                    ; no frame-counter interrupts
    ldx #$FF
    txs
    inx
    stx PPUCTRL
    stx PPUMASK
    stx $4010
    bit PPUSTATUS
@warm1:                         ; two vblanks: the PPU is ready, and the seed shows in row 2
    bit PPUSTATUS
    bpl @warm1
@warm2:
    bit PPUSTATUS
    bpl @warm2

    lda #0
    tax
@clear:                         ; pages 0-6; page 7 survives a warm reset (1)
    sta $0000,x
    sta $0100,x
    sta $0200,x
    sta $0300,x
    sta $0400,x
    sta $0500,x
    sta $0600,x
    inx
    bne @clear

    jsr initHighScores
    lda #$89
    sta rngHi
    lda #$88
    sta rngLo
    lda #1
    sta players
    sta activePlayer
.ifdef PRACTICE
    sta gameMode                ; no legal screen (9.3)
    lda #29
    sta customLevel
.endif
    lda #$FF
    sta shownLevel
    lda #$80                    ; NMI on, both pattern tables at 0000
    sta ctrlCopy
    sta PPUCTRL
    jsr waitFrame
    inc nmiSkip                 ; the second frame after boot does not tick
    jsr waitFrame
    dec nmiSkip
    jsr clearFields
    ldx #3
    jsr waitFrames

mainLoop:
    jsr dispatch
    jmp mainLoop

dispatch:                       ; a mode ends by changing gameMode; no frame passes in between
    lda gameMode
    asl
    tax
    lda modes,x
    sta ptr
    lda modes+1,x
    sta ptr+1
    jmp (ptr)

.segment "RODATA"
modes:
.ifdef PRACTICE
    .word modeTitle
.else
    .word modeLegal
.endif
    .word modeTitle, modeTypeMenu, modeLevelMenu, modePlay, modePlay, modeDemoStart
hiMagicBytes:
    .byte $12,$34,$56,$78,$9A
.segment "CODE"

; ---- waiting ----

; Ends this frame; returns after the next NMI with an empty sprite page.
waitFrame:
    lda #0
    sta vblankFlag
@spin:
    lda vblankFlag
    beq @spin
    ldx #0
    lda #$FF
@hide:
    sta oam,x
    inx
    bne @hide
    stx oamPos
    rts

; X frames.
waitFrames:
    stx tmp3
@next:
    jsr waitFrame
    dec tmp3
    bne @next
    rts

; Sleeps A frames by the NMI's sleep counter.
sleepFor:
    sta sleepCount
@more:
    jsr waitFrame
    lda sleepCount
    bne @more
    rts

; ---- memory ----

clearFields:                    ; pages 4 and 5
    lda #EMPTY
    ldx #0
@fill:
    sta field,x
    sta field+$100,x
    inx
    bne @fill
    rts

initHighScores:
    ldx #4
@check:
    lda hiMagic,x
    cmp hiMagicBytes,x
    bne @fresh
    dex
    bpl @check
    rts
@fresh:
    ldx #0
@copy:
    lda hiDefaults,x
    sta hiNames,x
    inx
    cpx #$50
    bne @copy
    ldx #4
@mark:
    lda hiMagicBytes,x
    sta hiMagic,x
    dex
    bpl @mark
    rts

; ---- random numbers ----

clockRng:                       ; 4.1: new top bit = bit 1 of both bytes, exclusive or
    lda rngHi
    eor rngLo
    lsr
    lsr
    ror rngHi
    ror rngLo
    rts

pickPiece:                      ; 4.2; A = spawnId = the piece
.ifdef PRACTICE
    lda seeded
    beq @unseeded
    jmp pickSeeded
@unseeded:
.endif
    inc spawnCount
    lda rngHi
    clc
    adc spawnCount
    and #7
    cmp #7
    beq @reroll
    tax
    lda spawnTable,x
    cmp spawnId
    bne @done
@reroll:
    jsr clockRng
    lda rngHi
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

; ---- interrupts ----

nmi:
    pha
    txa
    pha
    tya
    pha
    lda nmiSkip
    bne @done
    bit PPUSTATUS
    jsr nmiDraw
    lda sleepCount
    beq @awake
    dec sleepCount
@awake:
    lda #0
    sta OAMADDR
    lda #>oam
    sta OAMDMA
    lda ctrlCopy
    sta PPUCTRL
    lda #0
    sta PPUSCROLL
    sta PPUSCROLL
    lda maskCopy
    sta PPUMASK
    inc frameLo
    bne @low
    inc frameHi
@low:
    jsr clockRng
    jsr readPad
@done:
    lda #1
    sta vblankFlag
    pla
    tay
    pla
    tax
    pla
irq:
    rti

; The port is read twice and the readings ANDed; the expansion bit counts too (3.1).
readPad:
    jsr readPort
    lda nmiTmp
    pha
    jsr readPort
    pla
    and nmiTmp
    ldx gameMode
    cpx #5
    bne @real
    cmp #BTN_START              ; the demo only listens to Start (6.7)
    beq @real
    jsr demoPad
@real:
    tay
    eor heldPad1
    sty nmiTmp
    and nmiTmp                  ; newly pressed = pressed AND NOT held before
    sta newPad1
    sty heldPad1
    lda #0
    sta newPad2
    sta heldPad2
    rts

readPort:
    ldx #1
    stx JOY1
    dex
    stx JOY1
    ldx #8
@bit:
    lda JOY1
    lsr
    rol nmiTmp
    lsr
    bcc @next
    lda nmiTmp
    ora #1
    sta nmiTmp
@next:
    dex
    bne @bit
    rts
