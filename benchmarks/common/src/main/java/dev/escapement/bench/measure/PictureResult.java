package dev.escapement.bench.measure;

import dev.escapement.bench.measure.Distribution.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The metrics of a picture, of a world in this process or another one, named as the JSON file's keys, which
 * {@code docs/run-json.md} describes.
 */
public record PictureResult(
        double fps,
        long frames,
        long missedFrameSlots,
        long windowsChecked,
        long tornSnapshots,
        long nonConsecutiveWindows,
        long misplacedFrames,
        long uncountedRepeats,
        long holds,
        double unevennessPercent,
        double unevennessP99Percent,
        double allocatedBytesPerFrame,
        Summary frameIntervalMicros,
        Summary lookBehindMicros,
        Summary slotErrorMicros,
        Summary realErrorMicros) {

    /** The name of this component in results. In the JSON file it is replaced by its own components. */
    public static final String COMPONENT = "picture";

    /** Nobody sees a smaller animation error, and ten times as much is stutter. */
    private static final double VISIBLE_MICROS = 200;

    /** At 144 frames a second this is a frame that is 0.35 ms from where it is expected: ten times as much is a frame half its way off. */
    private static final double VISIBLE_PERCENT = 5;

    /** Nobody sees a smaller share of frames that are late, and ten times as many are stutter. */
    private static final double VISIBLE_SHARE = 0.01;

    /** How evenly the picture moved, and how many frames were missed if that is to be seen: first what decides. */
    public String answer() {
        if (frameIntervalMicros.max() == 0) { // no two frames after the warm-up
            return "Too short to say how evenly the picture moved.";
        }
        long slots = frames + missedFrameSlots;
        double late = missedFrameSlots / (VISIBLE_SHARE * Math.max(1, slots));
        double uneven = Math.max(slotErrorMicros.p99() / VISIBLE_MICROS, unevennessP99Percent / VISIBLE_PERCENT);
        double visible = Math.max(uneven, late);
        String grade = visible > 10 ? "Uneven" : visible > 1 ? "Not quite smooth" : "Smooth";
        String missed = String.format(Locale.ROOT, "%,d of %,d frames were missed", missedFrameSlots, slots);
        String error = String.format(
                Locale.ROOT,
                "animation error %.1f ms in the median, %.1f ms at the 99th percentile;"
                        + " unevenness %.1f %% in the mean, %.1f %% at the 99th percentile",
                slotErrorMicros.p50() / 1e3,
                slotErrorMicros.p99() / 1e3,
                unevennessPercent,
                unevennessP99Percent);
        if (late > 1 && late >= uneven) {
            return grade + ": " + missed + "; " + (uneven > 1 ? "" : "those shown were in their place: ") + error + ".";
        }
        return grade + ": " + error + (late > 1 ? "; " + missed : "") + ".";
    }

    /** The promises for every picture that this one broke: a sentence each. */
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
