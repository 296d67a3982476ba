package dev.escapement.bench.measure;

import dev.escapement.bench.measure.Distribution.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The metrics of a picture of a world, which this process or another one ticks. The components are named as the keys of the JSON file,
 * which {@code docs/run-json.md} describes.
 */
public record PictureResult(
        double fps,
        long frames,
        long missedFrameSlots,
        long missedAfterWarmUp,
        long windowsChecked,
        long tornSnapshots,
        long nonConsecutiveWindows,
        long misplacedFrames,
        long uncountedRepeats,
        long holds,
        double unevennessPercent,
        double unevennessP99Percent,
        double allocatedBytesPerFrame,
        double waitedMillis,
        String renderer,
        Summary frameIntervalMicros,
        Summary lookBehindMicros,
        Summary slotErrorMicros,
        Summary realErrorMicros) {

    /** The name of the component of a result that holds these metrics. In the JSON file, the components of this record replace it. */
    public static final String COMPONENT = "picture";

    /** The largest animation error that nobody sees, in microseconds. Ten times as much is stutter. */
    private static final double VISIBLE_MICROS = 200;

    /**
     * The largest unevenness that nobody sees, in percent. At 144 frames a second it shows a frame 0.35 ms off its expected position. Ten
     * times as much shows a frame off by half the distance that it moves.
     */
    private static final double VISIBLE_PERCENT = 5;

    /** The largest share of missed frames that nobody sees, in percent. Ten times as many are stutter. */
    private static final double VISIBLE_MISSED_PERCENT = 1;

    private static final Pattern SOFTWARE = Pattern.compile("(?i)llvmpipe|softpipe|swiftshader|software");

    public static final String SMOOTH = "Smooth";

    /** The grade of a picture that had fewer than two frames after the warm-up. */
    public static final String TOO_SHORT = "Too short to judge the picture";

    /** Says in a word or three how evenly the picture moved. */
    public String grade() {
        if (frameIntervalMicros.max() == 0) {
            return TOO_SHORT;
        }
        double uneven = Math.max(slotErrorMicros.p99() / VISIBLE_MICROS, unevennessP99Percent / VISIBLE_PERCENT);
        double visible = Math.max(uneven, missedPercent() / VISIBLE_MISSED_PERCENT);
        return visible > 10 ? "Uneven" : visible > 1 ? "Not quite smooth" : SMOOTH;
    }

    /** The share of display slots without a new frame; 0 if it is so small that nobody sees it. */
    public double visiblyMissedShare() {
        return missedPercent() > VISIBLE_MISSED_PERCENT ? missedPercent() / 100 : 0;
    }

    /**
     * Says what made frames late, for headlines: the largest of three causes that took, after the warm-up, at least a quarter of the
     * missing time, because a short wait may cost two frames, and at least a quarter of a frame.
     */
    public String lateCause(double longStepsMillis, double pausedMillis) {
        if (visiblyMissedShare() > 0 && isBySoftware(renderer)) {
            return "the processor draws, not a graphics card";
        }
        double most = Math.max(longStepsMillis, Math.max(pausedMillis, waitedMillis));
        if (most < 250 * Math.max(1, missedAfterWarmUp) / fps) {
            return "why is not known";
        }
        return most == longStepsMillis
                ? "steps took too long"
                : most == pausedMillis ? "the JVM paused" : "no core was free";
    }

    /** Whether the OpenGL renderer of this name draws by the processor. */
    public static boolean isBySoftware(String renderer) {
        return SOFTWARE.matcher(renderer).find();
    }

    private double missedPercent() {
        return 100.0 * missedFrameSlots / Math.max(1, frames + missedFrameSlots);
    }

    public List<Figure> figures() {
        return List.of(
                Figure.millis("animation error at most, 99 % of frames", slotErrorMicros.p99()),
                Figure.percent("frames missed", missedPercent()));
    }

    /** Returns one sentence for each promise about pictures that was broken. */
    public List<String> faults(long ticks) {
        List<String> faults = new ArrayList<>();
        if (ticks == 0 || windowsChecked == 0) {
            faults.add(ticks + " ticks ran and " + windowsChecked + " windows were checked, which shows nothing");
        }
        Stream.of(
                        tornSnapshots + " snapshots were torn",
                        nonConsecutiveWindows + " windows had a gap",
                        misplacedFrames + " frames showed another time than their clock said",
                        uncountedRepeats + " frames repeated the previous one without being counted as holds")
                .filter(fault -> !fault.startsWith("0 "))
                .forEach(faults::add);
        return faults;
    }
}
