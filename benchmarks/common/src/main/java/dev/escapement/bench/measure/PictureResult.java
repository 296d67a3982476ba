package dev.escapement.bench.measure;

import dev.escapement.bench.measure.Distribution.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was measured of a picture, wherever its world is, under the names of the JSON file's keys, of which
 * {@code docs/run-json.md} says what they are.
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

    /** The component of results that have one. In the JSON file its own components stand in its place. */
    public static final String COMPONENT = "picture";

    /** What the library promises of every picture, and this one broke: a sentence each. */
    public List<String> faults(long ticks) {
        List<String> faults = new ArrayList<>();
        if (ticks == 0 || windowsChecked == 0) {
            faults.add(ticks + " ticks ran and " + windowsChecked + " windows were checked, which shows nothing");
        }
        Stream.of(
                        tornSnapshots + " snapshots were torn",
                        nonConsecutiveWindows + " windows had a gap",
                        misplacedFrames + " frames showed another time than their clock said",
                        uncountedRepeats + " frames repeated the one before without being counted as holds")
                .filter(fault -> !fault.startsWith("0 "))
                .forEach(faults::add);
        return faults;
    }
}
