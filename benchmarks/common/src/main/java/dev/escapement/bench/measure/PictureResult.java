package dev.escapement.bench.measure;

import dev.escapement.bench.measure.Distribution.Summary;
import java.util.ArrayList;
import java.util.List;
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

    /** The largest invisible animation error, in microseconds. Ten times as much is stutter. */
    private static final double VISIBLE_MICROS = 200;

    /**
     * The largest invisible unevenness, in percent. At 144 frames a second it puts a frame 0.35 ms from where it is expected; ten times as
     * much puts a frame off by half the distance that it moves.
     */
    private static final double VISIBLE_PERCENT = 5;

    /** The largest invisible share of late frames, in percent. Ten times as many are stutter. */
    private static final double VISIBLE_MISSED_PERCENT = 1;

    /** The grade of a picture without visible errors. */
    public static final String SMOOTH = "Smooth";

    /** The grade of a picture without two frames after the warm-up. */
    public static final String TOO_SHORT = "Too short to judge the picture";

    /** Says in a word or three how evenly the picture moved. */
    public String grade() {
        if (frameIntervalMicros.max() == 0) { // no two frames after the warm-up
            return TOO_SHORT;
        }
        double uneven = Math.max(slotErrorMicros.p99() / VISIBLE_MICROS, unevennessP99Percent / VISIBLE_PERCENT);
        double visible = Math.max(uneven, missedPercent() / VISIBLE_MISSED_PERCENT);
        return visible > 10 ? "Uneven" : visible > 1 ? "Not quite smooth" : SMOOTH;
    }

    /** The share of display slots without a frame; 0 if a person does not see that. */
    public double visiblyMissedShare() {
        return missedPercent() > VISIBLE_MISSED_PERCENT ? missedPercent() / 100 : 0;
    }

    private double missedPercent() {
        return 100.0 * missedFrameSlots / Math.max(1, frames + missedFrameSlots);
    }

    /** The two figures that decide the grade. */
    public List<Figure> figures() {
        return List.of(
                Figure.millis("animation error at most, 99 % of frames", slotErrorMicros.p99()),
                Figure.percent("frames missed", missedPercent()));
    }

    /** The sentences about broken promises for every picture, one per promise. */
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
