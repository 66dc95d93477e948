# Instructions of extensions that compiled libraries do not use. Assembled for RV64 (and with WIDE) and for RV32.
    add x1, x2, x3
    fence rw, rw
    fence.i
    ecall
    ebreak
    wfi
    mret
    sret
    sfence.vma x5, x6
    csrrw x1, mstatus, x2
    csrrs x0, mstatus, x3
    csrrc x4, cycle, x0
    csrrwi x5, fcsr, 3
    csrrsi x6, 0x7c0, 1
    csrrci x0, frm, 2
    jal x3, .
    jal x5, .
    jal x0, .
    jalr x0, 0(x5)
    jalr x5, 0(x1)
    jalr x1, 0(x0)
    jalr x0, 4(x0)
    jalr x10, 0(x1)
    jalr x10, 0(x11)
    beq x0, x0, .
    bne x0, x9, .
    bgeu x9, x9, .
    lr.w x1, (x2)
    lr.w.aqrl x0, (x2)
    sc.w.rl x3, x4, (x5)
    amoswap.w x6, x7, (x8)
    amoadd.w x0, x7, (x8)
    amomaxu.w.aq x9, x10, (x11)
    mulhsu x1, x2, x3
    remu x4, x5, x6
    sh1add x1, x2, x3
    sh3add x4, x5, x6
    andn x7, x8, x9
    orn x10, x11, x12
    xnor x13, x14, x15
    clz x1, x2
    ctz x3, x4
    cpop x5, x6
    max x1, x2, x3
    minu x4, x5, x6
    sext.b x7, x8
    sext.h x9, x10
    zext.h x11, x12
    rol x1, x2, x3
    rori x4, x5, 7
    orc.b x6, x7
    rev8 x8, x9
    clmul x1, x2, x3
    clmulh x4, x5, x6
    clmulr x7, x8, x9
    bclr x1, x2, x3
    bext x4, x5, x6
    binvi x7, x8, 9
    bset x10, x11, x12
    flw f1, 4(x2)
    fsw f3, 8(x4)
    fld f5, 8(x6)
    fsd f7, 16(x8)
    flh f9, 2(x10)
    fsh f11, 4(x12)
    fmadd.s f1, f2, f3, f4
    fnmsub.d f5, f6, f7, f8
    fnmadd.h f13, f14, f15, f16
    fadd.s f1, f2, f3
    fsub.d f4, f5, f6
    fdiv.h f10, f11, f12
    fsqrt.s f13, f14
    fsqrt.d f15, f16
    fsgnj.s f1, f2, f3
    fsgnjn.d f4, f5, f6
    fsgnjx.h f7, f8, f9
    fmin.s f1, f2, f3
    fmax.d f4, f5, f6
    feq.s x1, f2, f3
    flt.d x4, f5, f6
    fle.h x7, f8, f9
    fclass.s x1, f2
    fclass.d x3, f4
    fmv.x.w x5, f6
    fmv.w.x f7, x8
    fmv.x.h x9, f10
    fmv.h.x f11, x12
    fcvt.w.s x1, f2
    fcvt.wu.d x3, f4
    fcvt.s.w f5, x6
    fcvt.d.wu f7, x8
    fcvt.s.d f9, f10
    fcvt.d.s f11, f12
    fcvt.h.s f15, f16
    c.addi x8, 1
    c.li x9, 2
    c.lui x10, 3
    c.addi16sp x2, 64
    c.addi4spn x8, x2, 16
    c.slli x11, 3
    c.srli x12, 2
    c.srai x13, 1
    c.andi x14, 7
    c.mv x1, x2
    c.add x3, x4
    c.and x8, x9
    c.or x10, x11
    c.xor x12, x13
    c.sub x14, x15
    c.lw x8, 4(x9)
    c.sw x10, 8(x11)
    c.lwsp x12, 16(x2)
    c.swsp x13, 20(x2)
    c.fld f8, 8(x9)
    c.fsd f10, 16(x11)
    c.fldsp f12, 24(x2)
    c.fsdsp f13, 32(x2)
    c.j .
    c.jr x1
    c.jr x5
    c.jr x10
    c.jalr x11
    c.beqz x12, .
    c.bnez x13, .
    c.nop
    c.ebreak
.ifdef WIDE
    flq f13, 16(x14)
    fsq f15, 32(x16)
    fmsub.q f9, f10, f11, f12
    fmul.q f7, f8, f9
    fcvt.q.d f13, f14
    ld x1, 8(x2)
    sd x3, 16(x4)
    lwu x5, 4(x6)
    addiw x7, x8, 1
    sllw x9, x10, x11
    sraiw x12, x13, 3
    lr.d x1, (x2)
    sc.d x3, x4, (x5)
    amoxor.d.aq x6, x7, (x8)
    mulw x1, x2, x3
    divuw x4, x5, x6
    add.uw x1, x2, x3
    sh2add.uw x4, x5, x6
    slli.uw x7, x8, 9
    clzw x1, x2
    cpopw x3, x4
    rolw x5, x6, x7
    roriw x8, x9, 10
    fcvt.l.d x1, f2
    fcvt.s.lu f3, x4
    fmv.x.d x5, f6
    fmv.d.x f7, x8
    c.addiw x8, 1
    c.addw x9, x10
    c.subw x11, x12
    c.ld x8, 8(x9)
    c.sd x10, 16(x11)
    c.ldsp x12, 24(x2)
    c.sdsp x13, 32(x2)
.else
    c.jal .
    c.flw f8, 4(x9)
    c.fsw f10, 8(x11)
    c.flwsp f12, 12(x2)
    c.fswsp f13, 16(x2)
.endif
