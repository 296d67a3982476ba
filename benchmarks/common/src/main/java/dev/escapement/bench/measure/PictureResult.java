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
        double allocatedBytesPerFrame,
        Summary frameIntervalMicros,
        Summary lookBehindMicros,
        Summary slotErrorMicros,
        Summary realErrorMicros) {

    /** The name of this component in results. In the JSON file it is replaced by its own components. */
    public static final String COMPONENT = "picture";

    /** Below this nobody sees it, and ten times as much is stutter. */
    private static final double INVISIBLE_MICROS = 200;

    /** How evenly the picture moved; and how many frames were late, if one in a hundred was. */
    public String answer() {
        boolean late = 100 * missedFrameSlots > frames;
        double micros = slotErrorMicros.p99();
        String grade = micros > 10 * INVISIBLE_MICROS
                ? "Uneven"
                : late || micros > INVISIBLE_MICROS ? "Not quite smooth" : "Smooth";
        String text = String.format(
                Locale.ROOT,
                "%s: animation error %.1f ms in the median, %.1f ms at the 99th percentile.",
                grade,
                slotErrorMicros.p50() / 1e3,
                micros / 1e3);
        long slots = frames + missedFrameSlots;
        return late
                ? String.format(Locale.ROOT, "%s %,d of %,d frames came too late.", text, missedFrameSlots, slots)
                : text;
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
