// What swaptions are worth on many paths of the forward rates, by the LIBOR market model (A. Brace,
// D. Gatarek, M. Musiela, Mathematical Finance 1997), and how fast that grows with today's rates,
// by going back along the path (M. Giles, P. Glasserman, Smoking Adjoints, Risk 2006): LIB of
// CLASO's Table 2.
//
// A thread has a path, whose rates it keeps in local memory; what belongs to the market is in
// constant memory, where all threads of a warp read the same word. `libor_values` follows the path
// with one set of rates, `libor_sensitivities` keeps those of every step, to go back over them.
#include "blockyard.h"

#define LIBOR_STEPS 40
#define LIBOR_SPAN 40
#define LIBOR_RATES (LIBOR_STEPS + LIBOR_SPAN)
#define LIBOR_OPTIONS 15
// Of a year, and its square root.
#define LIBOR_PERIOD 0.25f
#define LIBOR_ROOT 0.5f

// By the number of periods up to a rate's own.
__constant__ float libor_volatilities[LIBOR_RATES];
__constant__ float libor_start[LIBOR_RATES];
// Of each option periods and rate.
__constant__ unsigned libor_maturities[LIBOR_OPTIONS];
__constant__ float libor_swap_rates[LIBOR_OPTIONS];

// What a rate is worth at the end of its period, without one.
BLOCKYARD_FUNCTION float libor_discount(float rate) {
    return __fdividef(1.0f, fmaf(LIBOR_PERIOD, rate, 1.0f));
}

// The rates after step number `step`, of which there are `count`.
BLOCKYARD_FUNCTION void libor_step(const float *before, float *after, unsigned step,
                                   unsigned count, float normal) {
    float drift = 0.0f;
    for (unsigned rate = step + 1; rate < count; rate++) {
        float volatility = libor_volatilities[rate - step - 1];
        float moves = LIBOR_PERIOD * volatility, now = before[rate];
        drift = fmaf(__fmul_rn(moves, now), libor_discount(now), drift);
        float shock = fmaf(-0.5f, moves, __fmul_rn(LIBOR_ROOT, normal));
        float grown = __expf(fmaf(volatility, shock, __fmul_rn(moves, drift)));
        after[rate] = __fmul_rn(now, grown);
    }
}

// What the options are worth at the end of a path, on the rates from number `steps` on; what a bond
// of each period and the coupons up to there are worth goes into `bonds` and `coupons`.
BLOCKYARD_FUNCTION float libor_payments(const float *rates, unsigned steps, float *bonds,
                                        float *coupons) {
    float bond = 1.0f, coupon = 0.0f, paid = 0.0f;
    for (unsigned period = 0; period < LIBOR_SPAN; period++) {
        bond = __fmul_rn(bond, libor_discount(rates[steps + period]));
        coupon = fmaf(LIBOR_PERIOD, bond, coupon);
        bonds[period] = bond;
        coupons[period] = coupon;
    }
    for (unsigned option = 0; option < LIBOR_OPTIONS; option++) {
        unsigned last = libor_maturities[option] - 1;
        float worth = fmaf(libor_swap_rates[option], coupons[last], bonds[last]) - 1.0f;
        if (worth < 0.0f) paid = fmaf(-100.0f, worth, paid);
    }
    return paid;
}

// What a payment at the end of a path is worth at its begin.
BLOCKYARD_FUNCTION float libor_today(const float *rates, unsigned steps, float paid) {
    for (unsigned step = 0; step < steps; step++)
        paid = __fmul_rn(paid, libor_discount(rates[step]));
    return paid;
}

extern "C" __global__ void libor_values(const float *__restrict__ normals,
                                        float *__restrict__ values, unsigned paths,
                                        unsigned steps) {
    unsigned path = blockIdx.x * blockDim.x + threadIdx.x, count = steps + LIBOR_SPAN;
    if (path >= paths) return;
    float rates[LIBOR_RATES], bonds[LIBOR_SPAN], coupons[LIBOR_SPAN];
    for (unsigned rate = 0; rate < count; rate++) rates[rate] = libor_start[rate];
    for (unsigned step = 0; step < steps; step++)
        libor_step(rates, rates, step, count, normals[step * paths + path]);
    float paid = libor_payments(rates, steps, bonds, coupons);
    values[path] = libor_today(rates, steps, paid);
}

extern "C" __global__ void libor_sensitivities(const float *__restrict__ normals,
                                               float *__restrict__ values,
                                               float *__restrict__ sensitivities, unsigned paths,
                                               unsigned steps) {
    unsigned path = blockIdx.x * blockDim.x + threadIdx.x, count = steps + LIBOR_SPAN;
    if (path >= paths) return;
    float rates[LIBOR_STEPS + 1][LIBOR_RATES], bonds[LIBOR_SPAN], coupons[LIBOR_SPAN];
    float by[LIBOR_RATES];
    for (unsigned rate = 0; rate < count; rate++) rates[0][rate] = libor_start[rate];
    for (unsigned step = 0; step < steps; step++) {
        for (unsigned rate = 0; rate <= step; rate++) rates[step + 1][rate] = rates[step][rate];
        libor_step(rates[step], rates[step + 1], step, count, normals[step * paths + path]);
    }
    const float *last = rates[steps];
    float paid = libor_payments(last, steps, bonds, coupons);
    float today = libor_today(last, steps, 1.0f);
    values[path] = __fmul_rn(paid, today);

    // By the rates at the end of the path: those that discount it, and those of bonds and coupons.
    for (unsigned rate = 0; rate < steps; rate++) {
        float falls = __fmul_rn(LIBOR_PERIOD, libor_discount(last[rate]));
        by[rate] = -__fmul_rn(__fmul_rn(paid, today), falls);
    }
    float by_bond = 0.0f, by_coupon = 0.0f;
    for (unsigned back = 1; back <= LIBOR_SPAN; back++) {
        unsigned period = LIBOR_SPAN - back;
        for (unsigned option = 0; option < LIBOR_OPTIONS; option++) {
            if (libor_maturities[option] - 1 != period) continue;
            float swap_rate = libor_swap_rates[option];
            if (fmaf(swap_rate, coupons[period], bonds[period]) - 1.0f < 0.0f) {
                by_bond -= 100.0f;
                by_coupon = fmaf(-100.0f, swap_rate, by_coupon);
            }
        }
        by_bond = fmaf(LIBOR_PERIOD, by_coupon, by_bond);
        float discount = libor_discount(last[steps + period]);
        float falls = __fmul_rn(__fmul_rn(LIBOR_PERIOD, bonds[period]), discount);
        by[steps + period] = -__fmul_rn(__fmul_rn(by_bond, falls), today);
        by_bond = __fmul_rn(by_bond, discount);
    }
    // By those before each step.
    for (unsigned back = 1; back <= steps; back++) {
        unsigned step = steps - back;
        float by_drift = 0.0f;
        for (unsigned rate = count - 1; rate > step; rate--) {
            float volatility = libor_volatilities[rate - step - 1];
            float moves = LIBOR_PERIOD * volatility;
            float then = rates[step][rate], now = rates[step + 1][rate];
            by_drift = fmaf(__fmul_rn(by[rate], now), moves, by_drift);
            float discount = libor_discount(then);
            float part = __fmul_rn(moves, __fmul_rn(discount, discount));
            by[rate] = fmaf(by_drift, part, __fmul_rn(by[rate], __fdividef(now, then)));
        }
    }
    float sum = 0.0f;
    for (unsigned rate = 0; rate < count; rate++) sum += by[rate];
    sensitivities[path] = sum;
}
