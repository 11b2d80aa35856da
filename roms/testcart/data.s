; Owns the tables of the rules, the screens, the colours and the tiles (tiles.chr, from tiles.txt).
.include "ram.inc"
.export dxTable, dyTable, rowStart, pieceTile, turnLeft, turnRight, gravity, statIndex, spawnTable
.export pointsLo, pointsHi, garbageTiles, garbageRows, hiDefaults
.export screens, rowAddrHi, rowAddrLo, levelColors, flashColors, statAddrHi, statAddrLo, commonPalette
.exportzp SCR_LEGAL, SCR_TITLE, SCR_TYPE, SCR_LEVEL, SCR_NAMES, SCR_ENDING, SCR_PLAY

.segment "RODATA"

; ---- rules ----

.define U2 $FE
.define U1 $FF
dxTable:                        ; 2.1, four cells per orientation 00-13
    .byte U1,0,1,0,  0,0,1,0,  U1,0,1,0,  0,U1,0,0
    .byte 0,0,U1,0,  U1,U1,0,1,  0,1,0,0,  U1,0,1,1
    .byte U1,0,0,1,  1,0,1,0,  U1,0,U1,0,  0,1,U1,0
    .byte 0,0,1,1,  0,0,0,1,  U1,0,1,U1,  U1,0,0,0
    .byte 1,U1,0,1,  0,0,0,0,  U2,U1,0,1,  0,0,0,0
dyTable:
    .byte 0,0,0,U1,  U1,0,0,1,  0,0,0,1,  U1,0,0,1
    .byte U1,0,1,1,  U1,0,0,0,  U1,U1,0,1,  0,0,0,1
    .byte 0,0,1,1,  U1,0,0,1,  0,0,1,1,  0,0,1,1
    .byte U1,0,0,1,  U1,0,1,1,  0,0,0,1,  U1,U1,0,1
    .byte U1,0,0,0,  U2,U1,0,1,  0,0,0,0,  0,0,0,0
turnLeft:                       ; column B of 2.1
    .byte $03,$00,$01,$02, $07,$04,$05,$06, $09,$08,$0A,$0C,$0B, $10,$0D,$0E,$0F, $12,$11,$13
turnRight:                      ; column A
    .byte $01,$02,$03,$00, $05,$06,$07,$04, $09,$08,$0A,$0C,$0B, $0E,$0F,$10,$0D, $12,$11,$13
pieceTile:                      ; 1.3: 7B T O I, 7C Z L, 7D J S
    .byte $7B,$7B,$7B,$7B, $7D,$7D,$7D,$7D, $7C,$7C,$7B,$7D,$7D, $7C,$7C,$7C,$7C, $7B,$7B,EMPTY
statIndex:                      ; spawn id -> offset in the statistics
    .byte 0,0,0,0, 2,2,2,2, 4,4,6,8,8, 10,10,10,10, 12,12
spawnTable:
    .byte $02,$07,$08,$0A,$0B,$0E,$12
rowStart:                       ; 10 * row modulo 256 for rows -2 to 23
.repeat 26, i
    .byte <((i - 2) * 10)
.endrepeat
gravity:                        ; 3.3 and 9.2, frames per row at levels 0-28
.ifdef PAL
    .byte 36,32,29,25,22,18,15,11,7,5, 4,4,4,3,3,3,2,2,2, 1,1,1,1,1,1,1,1,1,1
.else
    .byte 48,43,38,33,28,23,18,13,8,6, 5,5,5,4,4,4,3,3,3, 2,2,2,2,2,2,2,2,2,2
.endif
pointsLo:                       ; 5.3
    .byte $00,$40,$00,$00,$00
pointsHi:
    .byte $00,$00,$01,$03,$12
garbageTiles:                   ; 6.6
    .byte $EF,$7B,$EF,$7C,$7D,$7D,$EF,$EF
garbageRows:
    .byte $C8,$AA,$96,$78,$64,$50

hiDefaults:                     ; page 7 up to 0750: names, scores A and B, levels (1.3)
    .byte $01,$0C,$10,$08,$01,$2B,  $02,$12,$01,$16,$0F,$2B,  $03,$01,$12,$07,$0F,$2B,  0,0,0,0,0,0
    .byte $04,$05,$0C,$14,$01,$2B,  $05,$03,$08,$0F,$2B,$2B,  $06,$05,$12,$12,$19,$2B,  0,0,0,0,0,0
    .byte $01,$00,$00, $00,$75,$00, $00,$50,$00, 0,0,0
    .byte $00,$20,$00, $00,$10,$00, $00,$05,$00, 0,0,0
    .byte 9,5,0,0, 9,5,0,0

; ---- places on the play screen (10.4) ----

rowAddrHi:
.repeat 20, i
    .byte >($20CC + i * 32)
.endrepeat
rowAddrLo:
.repeat 20, i
    .byte <($20CC + i * 32)
.endrepeat
statAddrHi:
.repeat 7, i
    .byte >($2186 + i * 64)
.endrepeat
statAddrLo:
.repeat 7, i
    .byte <($2186 + i * 64)
.endrepeat

; ---- colours ----

commonPalette:                  ; 0 text, frames, background; 1 highlights; 2 blocks; 3 best scores
    .byte $0F,$01,$21,$30,  $0F,$01,$27,$38,  $0F,$11,$21,$30,  $0F,$01,$1A,$39
    .byte $0F,$01,$27,$38,  $0F,$01,$21,$30,  $0F,$11,$21,$30,  $0F,$01,$1A,$39
levelColors:                    ; one row per last digit of the level: dark, main, light
    .byte $11,$21,$30,0
    .byte $1A,$2A,$39,0
    .byte $14,$24,$35,0
    .byte $12,$2B,$3A,0
    .byte $16,$27,$37,0
    .byte $13,$2C,$3C,0
    .byte $17,$28,$38,0
    .byte $15,$26,$36,0
    .byte $1C,$22,$31,0
    .byte $16,$21,$30,0
flashColors:                    ; the first is the normal backdrop
    .byte $0F,$01,$0C,$11

; ---- screens ----

.repeat 10, i
    .charmap $30 + i, i
.endrepeat
.repeat 26, i
    .charmap $41 + i, $0A + i
.endrepeat
.charmap '-', $24
.charmap '.', $25
.charmap ',', $26
.charmap '/', $27
.charmap ':', $28
.charmap '!', $29
.charmap ' ', $2B
.charmap '#', $7B
.charmap '+', $7C
.charmap '*', $7D

.macro AT kind, col, row
    .byte kind, .hibyte($2000 + (row) * 32 + (col)), .lobyte($2000 + (row) * 32 + (col))
.endmacro
.macro TEXT col, row, string
    AT 1, col, row
    .byte string, $FF
.endmacro
.macro BOX col, row, width, height   ; inner size; the frame lies around it
    AT 2, col - 1, row - 1
    .byte width, height
.endmacro
.macro FILL col, row, width, height, tile
    AT 3, col, row
    .byte width, height, tile
.endmacro
PLAIN   = $2B
TEXTURE = $38

SCR_LEGAL  = 0
SCR_TITLE  = 1
SCR_TYPE   = 2
SCR_LEVEL  = 3
SCR_NAMES  = 4
SCR_ENDING = 5
SCR_PLAY   = 6
screens:
    .word legal, title, typeMenu, levelMenu, names, ending, play

; Attributes, one byte per 32x32 pixels; in it two bits per 16x16 quadrant (top left lowest).
attrText:
    .res 16, $00
    .res 16, $55
    .res 32, $00
attrTitle:
    .byte $00,$00,$00,$00,$00,$00,$00,$00
    .byte $A0,$A0,$A0,$A0,$A0,$A0,$A0,$A0
    .byte $AA,$AA,$AA,$AA,$AA,$AA,$AA,$AA
    .byte $05,$05,$05,$05,$05,$05,$05,$05
    .res 16, $00
    .res 8, $A0
    .res 8, $AA
attrMenu:
    .res 8, $00
    .byte $00,$05,$05,$05,$05,$05,$05,$00
    .res 48, $00
attrPlay:
    .byte $00,$00,$00,$00,$00,$00,$00,$00
    .byte $04,$05,$01,$A0,$A0,$20,$00,$00
    .byte $00,$00,$00,$AA,$AA,$22,$00,$00
    .byte $88,$22,$00,$AA,$AA,$22,$00,$00
    .byte $88,$22,$00,$AA,$AA,$22,$00,$00
    .byte $88,$22,$00,$AA,$AA,$22,$00,$00
    .byte $08,$02,$00,$0A,$0A,$02,$00,$00
    .byte $00,$00,$00,$00,$00,$00,$00,$00

legal:
    .byte PLAIN
    .word attrText
    TEXT 5, 9, "MAXOUT TEST CARTRIDGE"
    FILL 5, 11, 21, 1, $31
    TEXT 9, 13, "FREE SOFTWARE"
    TEXT 7, 15, "MIT OR APACHE-2.0"
    TEXT 4, 19, "NOT AN OFFICIAL PRODUCT"
    .byte 0

title:
    .byte TEXTURE
    .word attrTitle
    FILL 0, 4, 32, 11, $2B
    FILL 0, 3, 32, 1, $31
    FILL 0, 15, 32, 1, $36
    TEXT 2, 6,  "#   # ++++ * * #### + + *****"
    TEXT 2, 7,  "## ## +  + * * #  # + +   *"
    TEXT 2, 8,  "# # # ++++  *  #  # + +   *"
    TEXT 2, 9,  "#   # +  + * * #  # + +   *"
    TEXT 2, 10, "#   # +  + * * #### +++   *"
    TEXT 9, 13, "TEST CARTRIDGE"
    BOX 10, 18, 13, 3
    TEXT 11, 19, "PRESS START"
    FILL 0, 24, 32, 1, $31
    FILL 0, 25, 32, 5, $2B
    TEXT 0, 26, "       *   +            #       "
    TEXT 0, 27, "##    ***  +++  ++   * ###  *  +"
    TEXT 0, 28, "## #### #### ** +++ *** *** **++"
    TEXT 0, 29, "##### ++##### **#### * ***** *++"
    .byte 0

.ifdef PRACTICE
typeMenu:
    .byte TEXTURE
    .word attrMenu
    BOX 4, 3, 24, 3
    TEXT 12, 4, "PRACTICE"
    BOX 6, 9, 20, 9
    TEXT 9, 10, "TETRIS"
    TEXT 9, 12, "T-SPINS"
    TEXT 9, 14, "SEED"
    TEXT 9, 16, "STACKING"
    .byte 0

levelMenu:
    .byte TEXTURE
    .word attrMenu
    BOX 4, 3, 24, 3
    TEXT 9, 4, "CHOOSE A LEVEL"
    BOX 4, 8, 13, 5
    TEXT 8, 7, "LEVEL"
    TEXT 6, 9,  "0 1 2 3 4"
    TEXT 6, 11, "5 6 7 8 9"
    BOX 20, 8, 8, 5
    TEXT 21, 7, "CUSTOM"
    BOX 6, 16, 22, 7
    TEXT 11, 15, "BEST SCORES"
    .byte 0

.else
typeMenu:
    .byte TEXTURE
    .word attrMenu
    BOX 4, 3, 24, 3
    TEXT 11, 4, "GAME TYPE"
    BOX 4, 10, 24, 3
    TEXT 9, 11, "A-TYPE      B-TYPE"
    BOX 4, 16, 24, 9
    TEXT 14, 17, "MUSIC 1"
    TEXT 14, 19, "MUSIC 2"
    TEXT 14, 21, "MUSIC 3"
    TEXT 14, 23, "OFF"
    .byte 0

levelMenu:
    .byte TEXTURE
    .word attrMenu
    BOX 4, 3, 24, 3
    TEXT 9, 4, "CHOOSE A LEVEL"
    BOX 4, 8, 13, 5
    TEXT 8, 7, "LEVEL"
    TEXT 6, 9,  "0 1 2 3 4"
    TEXT 6, 11, "5 6 7 8 9"
    BOX 20, 8, 8, 5
    TEXT 21, 7, "HEIGHT"
    TEXT 21, 9,  "0 1 2"
    TEXT 21, 11, "3 4 5"
    BOX 6, 16, 22, 7
    TEXT 11, 15, "BEST SCORES"
    .byte 0
.endif

names:
    .byte TEXTURE
    .word attrMenu
    BOX 4, 3, 24, 3
    TEXT 10, 4, "A HIGH SCORE"
    BOX 4, 9, 24, 3
    TEXT 8, 10, "ENTER YOUR NAME"
    BOX 6, 16, 22, 7
    TEXT 11, 15, "BEST SCORES"
    .byte 0

ending:
    .byte TEXTURE
    .word attrMenu
    BOX 4, 3, 24, 3
    TEXT 10, 4, "WELL PLAYED"
    BOX 7, 12, 18, 8
    TEXT 8, 14, "THE STACK RESTS"
    .byte 0

play:
    .byte TEXTURE
    .word attrPlay
    BOX 12, 3, 10, 1
    TEXT 13, 3, "LINES-"
    BOX 2, 3, 8, 5
    TEXT 3, 4, "MAXOUT"
    TEXT 4, 6, "-TYPE"
    BOX 24, 3, 6, 7
    TEXT 24, 4, "TOP"
    TEXT 24, 7, "SCORE"
    BOX 24, 13, 6, 5
    TEXT 25, 13, "NEXT"
    BOX 24, 20, 6, 2
    TEXT 24, 20, "LEVEL"
    BOX 2, 10, 8, 16
    TEXT 3, 10, "STATS"
.repeat 7, i
    AT 1, 3, 12 + 2 * i
    .byte $40 + 2 * i, $41 + 2 * i, $FF
.endrepeat
    BOX 12, 6, 10, 20
    .byte 0

.segment "CHR"
    .incbin "tiles.chr"
    .res $1000, 0
