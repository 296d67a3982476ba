package dev.escapement.physics.schedule;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.StringJoiner;

/** Works of ticks, in nanoseconds: one random load at a rate of 100 Hz, or several, one after another. */
final class RandomWorks {

    final long[] nanos;

    private final StringJoiner loads = new StringJoiner(", then ");
    private final SplittableRandom random;
    private int count;

    RandomWorks(long seed, int ticks) {
        random = new SplittableRandom(seed);
        nanos = new long[ticks];
        boolean isMixed = random.nextInt(5) == 0;
        while (count < ticks) {
            int until = isMixed ? Math.min(ticks, count + random.nextInt(50, 850)) : ticks;
            switch (random.nextInt(4)) {
                case 0 -> constant(until);
                case 1 -> bursts(until);
                case 2 -> ramps(until);
                default -> lognormal(until);
            }
        }
    }

    private double between(double least, double most) {
        return least + (most - least) * random.nextDouble();
    }

    private void add(double millis, double noise) {
        nanos[count++] = (long) (1e6 * millis * (1 + noise * between(-0.5, 0.5)));
    }

    private void constant(int until) {
        double millis = between(1, 16);
        loads.add(String.format("%.1f ms", millis));
        while (count < until) {
            add(millis, 0.1);
        }
    }

    private void bursts(int until) {
        double shortMillis = between(1, 9);
        double longMillis = 12 + random.nextDouble() * between(0, 60);
        int longTicks = random.nextInt(1, 11);
        int shortTicks = random.nextInt(1, random.nextBoolean() ? 31 : 401);
        double noise = between(0, 0.2);
        loads.add(String.format("%d x %.1f ms, %d x %.1f ms", shortTicks, shortMillis, longTicks, longMillis));
        for (int tick = 0; count < until; tick++) {
            add(tick % (shortTicks + longTicks) < shortTicks ? shortMillis : longMillis, noise);
        }
    }

    private void ramps(int until) {
        double least = between(1, 7);
        double most = between(8, 18);
        int up = random.nextInt(10, 210);
        loads.add(String.format("%.1f to %.1f ms and back in %d ticks", least, most, 2 * up));
        for (int tick = 0; count < until; tick++) {
            double phase = (double) (tick % (2 * up)) / up;
            add(least + (most - least) * Math.min(phase, 2 - phase), 0);
        }
    }

    private void lognormal(int until) {
        double mean = between(3, 11);
        double sigma = between(0.1, 1);
        loads.add(String.format("lognormal, mean %.1f ms, sigma %.2f", mean, sigma));
        Random gaussian = new Random(random.nextLong());
        while (count < until) {
            add(mean * Math.exp(sigma * gaussian.nextGaussian() - sigma * sigma / 2), 0);
        }
    }

    @Override
    public String toString() {
        return loads.toString();
    }
}
