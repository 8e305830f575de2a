// What European options are worth, calls and puts, by the formula of F. Black and M. Scholes (The
// Pricing of Options and Corporate Liabilities, J. Political Economy 1973): BS of CLASO's Table 2,
// whose grid is that of NVIDIA's SDK.
//
// Threads take the options in turn. The normal distribution is the polynomial 26.2.17 of M.
// Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964. Products whose sums are not
// joined by hand are __fmul_rn, so that no compiler joins others.
#include "blockyard.h"

BLOCKYARD_FUNCTION float blackscholes_normal(float x) {
    float k = __fdividef(1.0f, fmaf(0.2316419f, fabsf(x), 1.0f));
    float sum = fmaf(k, 1.330274429f, -1.821255978f);
    sum = fmaf(k, sum, 1.781477937f);
    sum = fmaf(k, sum, -0.356563782f);
    sum = fmaf(k, sum, 0.31938153f);
    float density = __fmul_rn(0.39894228f, __expf(__fmul_rn(__fmul_rn(-0.5f, x), x)));
    float tail = __fmul_rn(density, __fmul_rn(k, sum));
    return x > 0.0f ? 1.0f - tail : tail;
}

extern "C" __global__ void blackscholes(const float *__restrict__ prices,
                                        const float *__restrict__ strikes,
                                        const float *__restrict__ years, float *__restrict__ calls,
                                        float *__restrict__ puts, unsigned count, float rate,
                                        float volatility) {
    float drift = fmaf(__fmul_rn(0.5f, volatility), volatility, rate);
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count;
         at += gridDim.x * blockDim.x) {
        float price = prices[at], strike = strikes[at], time = years[at];
        float spread = __fmul_rn(volatility, sqrtf(time));
        float grows = fmaf(drift, time, __logf(__fdividef(price, strike)));
        float first = __fdividef(grows, spread);
        float above = blackscholes_normal(first), owed_above = blackscholes_normal(first - spread);
        float owed = __fmul_rn(strike, __expf(__fmul_rn(-rate, time)));
        calls[at] = fmaf(-owed, owed_above, __fmul_rn(price, above));
        puts[at] = fmaf(-price, 1.0f - above, __fmul_rn(owed, 1.0f - owed_above));
    }
}
