package dev.escapement.physics.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a viewer sees of a body at constant velocity, whatever the timeline says: |way of a frame - mean way| / mean way, and how much ways
 * differ from one frame to the next.
 *
 * @param frames of each when it was made, in seconds, and its way, as a share of real time
 */
record Unevenness(List<double[]> frames) {

    private static final double VISIBLE = 0.15;

    /** The mean way: the speed of the world. */
    double speed() {
        return frames.stream().mapToDouble(frame -> frame[1]).average().orElse(0);
    }

    private double[] deviations() {
        double mean = speed();
        return frames.stream()
                .mapToDouble(frame -> Math.abs(frame[1] - mean) / mean)
                .sorted()
                .toArray();
    }

    double mean() {
        return Arrays.stream(deviations()).average().orElse(0);
    }

    double p99() {
        double[] sorted = deviations();
        return sorted[(int) (0.99 * sorted.length)];
    }

    /** When frames were made whose way differs visibly from that of the one before. */
    List<Double> jumps() {
        List<Double> jumps = new ArrayList<>();
        for (int i = 1; i < frames.size(); i++) {
            if (change(i) > VISIBLE) {
                jumps.add(frames.get(i)[0]);
            }
        }
        return jumps;
    }

    private double change(int i) {
        double larger = Math.max(frames.get(i)[1], frames.get(i - 1)[1]);
        return larger == 0 ? 0 : Math.abs(frames.get(i)[1] - frames.get(i - 1)[1]) / larger;
    }

    long standing() {
        return frames.stream().filter(frame -> frame[1] < 0.001).count();
    }

    /** When the last frame was made that did not move at real time. */
    double lastUnreal() {
        return frames.stream()
                .filter(frame -> Math.abs(frame[1] - 1) > 0.03)
                .mapToDouble(frame -> frame[0])
                .max()
                .orElse(0);
    }

    @Override
    public String toString() {
        double largest = 0;
        for (int i = 1; i < frames.size(); i++) {
            largest = Math.max(largest, change(i));
        }
        return String.format(
                Locale.ROOT,
                "speed %.3f, uneven %.2f %%, p99 %.2f %%, largest change %.0f %%, jumps %s, %d stand, real from %.2f s",
                speed(),
                100 * mean(),
                100 * p99(),
                100 * largest,
                jumps().stream()
                        .limit(10)
                        .map(at -> String.format(Locale.ROOT, "%.2f", at))
                        .toList(),
                standing(),
                lastUnreal());
    }
}
