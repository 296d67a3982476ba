package dev.escapement.render.tools;

import java.util.Arrays;
import java.util.Locale;

/**
 * Measures how unevenly a picture moves, as a viewer sees it.
 *
 * <p>A viewer expects a body at constant velocity to move a certain way (distance) in a frame. The unevenness of the frame is the
 * difference between the actual way and the expected way, over the expected way:
 *
 * <pre>U = |way_n - mean speed * (D_n - D_(n-1))| / (mean speed * (D_n - D_(n-1)))</pre>
 *
 * where the way is the simulated time by which the picture advanced, D_n is when frame n is displayed, and the mean speed is the sum of all
 * ways over the whole display time of a stretch. For equal display intervals this is |way - mean way| / mean way, whose mean is the
 * relative mean absolute deviation of statistics. In a longer interval, for example after a missed slot, a body at constant velocity goes
 * farther, and a viewer expects that.
 *
 * <p>Unlike {@link AnimationError} it uses no timeline. If simulated time itself stops and runs alternately, because ticks take too long
 * and are skipped, a picture that follows it has no animation error, but a viewer sees it stutter. 0.05 is 5 %, which is hardly seen.
 *
 * <pre>{@code
 * Unevenness unevenness = new Unevenness();
 * unevenness.frame(view.clock().shownSimNanos(), slotNanos); // once a frame
 * double percent = 100 * unevenness.mean();
 * }</pre>
 *
 * <p>A stretch is the time in which a viewer expects one speed. Call {@link #restart} after a pause, or when a person asks for another
 * speed: the mean speed of a stretch must not include another speed. A speed that a slow machine loses stays part of the stretch.
 *
 * <p>One rendering thread. A frame allocates nothing; memory is constant, 0.4 MB.
 *
 * @see <a href="https://en.wikipedia.org/wiki/Mean_absolute_difference">Relative deviations in statistics</a>
 */
public final class Unevenness {

    /** The smallest change of speed between two frames that counts as abrupt, as a part of the larger speed. */
    private static final double ABRUPT = 0.15;

    /** The speed of each frame of this stretch: shown time over displayed time. */
    private final Buckets speeds = new Buckets();

    /** The unevenness of each frame of the previous stretches. */
    private final Buckets ended = new Buckets();

    private long wayNanos;
    private long displayedNanos;
    private long abruptFrames;
    private long standingFrames;
    private double previousSpeed;
    private boolean hasSpeed;
    private long previousShownSimNanos;
    private long previousDisplayedNanos;
    private boolean started;

    /** Creates a measurement without frames. */
    public Unevenness() {}

    /**
     * Adds a frame. The first frame of a stretch is not measured. A frame that is displayed at the same instant as the frame before
     * replaces that frame, and is not measured either.
     *
     * @param shownSimNanos       the simulated time that the picture shows, best read from the drawn place of a body at constant velocity
     * @param frameDisplayedNanos when the frame is displayed, an instant of any one clock
     */
    public void frame(long shownSimNanos, long frameDisplayedNanos) {
        long interval = frameDisplayedNanos - previousDisplayedNanos;
        if (started && interval > 0) {
            long way = shownSimNanos - previousShownSimNanos;
            double speed = (double) way / interval;
            wayNanos += way;
            displayedNanos += interval;
            speeds.add(speed, 1);
            double larger = Math.max(Math.abs(speed), Math.abs(previousSpeed));
            if (hasSpeed && Math.abs(speed - previousSpeed) > ABRUPT * larger) {
                abruptFrames++;
            }
            standingFrames += way == 0 ? 1 : 0;
            previousSpeed = speed;
            hasSpeed = true;
        }
        started = true;
        previousShownSimNanos = shownSimNanos;
        previousDisplayedNanos = frameDisplayedNanos;
    }

    /** Ends a stretch and keeps the measured frames. The next frame is the first of another stretch. */
    public void restart() {
        if (displayedNanos > 0) { // restart() is called in each frame of a pause and must not visit all buckets
            addStretchTo(ended);
            forgetStretch();
        }
        started = false;
        hasSpeed = false;
    }

    /** Forgets everything but the last frame. Call it at the end of a warm-up. */
    public void reset() {
        forgetStretch();
        ended.clear();
        abruptFrames = 0;
        standingFrames = 0;
    }

    private void forgetStretch() {
        speeds.clear();
        wayNanos = 0;
        displayedNanos = 0;
    }

    /** Adds the unevenness of this stretch's frames to {@code all}, unless nothing moved. */
    private void addStretchTo(Buckets all) {
        double mean = (double) wayNanos / displayedNanos;
        if (mean > 0) {
            for (int bucket = 0; bucket < Buckets.SIZE; bucket++) {
                if (speeds.counts[bucket] > 0) {
                    all.add(Math.abs(speeds.mean(bucket) - mean) / mean, speeds.counts[bucket]);
                }
            }
        }
    }

    private Buckets all() {
        Buckets all = ended.copy();
        addStretchTo(all);
        return all;
    }

    /** {@return the number of measured frames: each but the first of a stretch} */
    public long count() {
        return all().count();
    }

    /** {@return the mean over the frames, as a part of the expected way, within 0.001; 0 without frames} */
    public double mean() {
        return all().mean();
    }

    /**
     * {@return a percentile over the frames, as a part of the expected way, within 0.001 or a five-hundredth of itself; 0 without frames}
     *
     * @param percentile 0 to 100, 99 is usual
     */
    public double percentile(double percentile) {
        return all().percentile(percentile);
    }

    /** {@return the number of frames whose speed differed from that of the frame before by more than 15 % of the higher one} */
    public long abruptFrames() {
        return abruptFrames;
    }

    /** {@return the number of frames that showed the same as the frame before} */
    public long standingFrames() {
        return standingFrames;
    }

    @Override
    public String toString() {
        Buckets all = all();
        return String.format(
                Locale.ROOT,
                "Unevenness[mean %.1f %%, p99 %.1f %%, %d frames]",
                100 * all.mean(),
                100 * all.percentile(99),
                all.count());
    }

    /**
     * Counts numbers in buckets, 512 for each power of two, and sums the numbers of each bucket. So the mean of all numbers is exact, and
     * so is a percentile if all numbers of its bucket are equal. The lowest bucket also takes all smaller numbers, the highest all larger
     * ones.
     */
    private static final class Buckets {

        /** The number of low bits of a double that its bucket ignores. The exponent and 9 bits of the fraction choose the bucket. */
        private static final int SHIFT = 52 - 9;

        private static final int LOWEST = (int) (Double.doubleToRawLongBits(0x1p-16) >>> SHIFT);
        private static final int SIZE = (int) (Double.doubleToRawLongBits(0x1p10) >>> SHIFT) - LOWEST;

        private final long[] counts = new long[SIZE];
        private final double[] sums = new double[SIZE];

        void add(double number, long times) {
            long bits = Double.doubleToRawLongBits(Math.max(0, number));
            int bucket = (int) Math.max(0, Math.min(SIZE - 1, (bits >>> SHIFT) - LOWEST));
            counts[bucket] += times;
            sums[bucket] += times * number;
        }

        Buckets copy() {
            Buckets copy = new Buckets();
            System.arraycopy(counts, 0, copy.counts, 0, SIZE);
            System.arraycopy(sums, 0, copy.sums, 0, SIZE);
            return copy;
        }

        void clear() {
            Arrays.fill(counts, 0);
            Arrays.fill(sums, 0);
        }

        double mean(int bucket) {
            return sums[bucket] / counts[bucket];
        }

        long count() {
            return Arrays.stream(counts).sum();
        }

        boolean isEmpty() {
            return count() == 0;
        }

        double mean() {
            return isEmpty() ? 0 : Arrays.stream(sums).sum() / count();
        }

        double percentile(double percentile) {
            long rank = Math.max(1, (long) Math.ceil(percentile / 100 * count()));
            long below = 0;
            for (int bucket = 0; bucket < SIZE; bucket++) {
                below += counts[bucket];
                if (below >= rank) {
                    return mean(bucket);
                }
            }
            return 0;
        }
    }
}
