package dev.escapement.render.gameloop;

/**
 * Follows real time, but clamps long frames, as the fixed-timestep loop of most engines does.
 *
 * <p>Whole ticks run; the remaining time is kept for the next frame and gives alpha.
 *
 * @param maxNanos the most time that one frame releases; a quarter of a second is usual
 * @see <a href="https://gafferongames.com/post/fix_your_timestep/">Glenn Fiedler, Fix Your Timestep!</a>
 */
public record Accumulator(long maxNanos) implements FramePolicy {

    /**
     * An accumulator that clamps nothing, for lockstep, where no tick may be lost. Run its ticks with {@code
     * runDueTicks(Integer.MAX_VALUE)}, which skips none.
     */
    public static final Accumulator WITHOUT_LOSS = new Accumulator(Long.MAX_VALUE);

    /**
     * Checks the maximum.
     *
     * @param maxNanos a frame releases at most this time
     * @throws IllegalArgumentException if it is not positive
     */
    public Accumulator {
        if (maxNanos < 1) {
            throw new IllegalArgumentException("a frame must count for at least 1 ns, but maxNanos is " + maxNanos);
        }
    }

    @Override
    public long release(long releasedNanos, long elapsedNanos) {
        return Math.min(elapsedNanos, maxNanos);
    }
}
