package dev.escapement.bench.measure;

import dev.escapement.bench.measure.Series.Point;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The frames around the one with the largest error: where each showed a body, and where it was due. Recorded without allocating by one
 * thread and read when it has ended.
 */
public final class WorstMoment {

    /** The worst one is in the middle, unless it is one of the last. */
    static final int FRAMES = 40;

    /** When it was displayed, what it showed, and what was due. */
    private final double[][] latest = new double[FRAMES][3];

    private final double[][] worst = new double[FRAMES][3];
    private long frames;
    private long worstFrame;
    private long lastKept;
    private long worstErrorNanos = -1;

    /** Adds a frame. */
    void frame(double seconds, double shown, double due, long errorNanos) {
        double[] frame = latest[(int) (frames++ % FRAMES)];
        frame[0] = seconds;
        frame[1] = shown;
        frame[2] = due;
        if (Math.abs(errorNanos) > worstErrorNanos) {
            worstErrorNanos = Math.abs(errorNanos);
            worstFrame = frames;
        }
        if (frames - worstFrame < FRAMES / 2) {
            lastKept = frames;
            for (int i = 0; i < FRAMES; i++) {
                System.arraycopy(latest[i], 0, worst[i], 0, frame.length);
            }
        }
    }

    /** Forgets the worst frame. */
    void reset() {
        worstErrorNanos = -1;
    }

    /** Whether no error was to be seen. */
    public boolean isEven() {
        return worstErrorNanos < 1e3 * PictureResult.VISIBLE_MICROS;
    }

    /** When frames were displayed, in seconds, and what they showed. */
    public List<Point> shown() {
        return points(1);
    }

    /** When frames were displayed, in seconds, and what was due. */
    public List<Point> due() {
        return points(2);
    }

    private List<Point> points(int value) {
        return LongStream.range(Math.max(0, lastKept - FRAMES), lastKept)
                .mapToObj(number -> worst[(int) (number % FRAMES)])
                .map(frame -> new Point(frame[0], frame[value]))
                .toList();
    }
}
