package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Everything that was measured of a world of another process, under the names of the JSON file's keys.
 *
 * @param address               where the world is served
 * @param bodies                bodies shown at the end
 * @param tickHz                ticks per second
 * @param fps                   frames per second asked for, or those of the display
 * @param seconds               how long it was watched
 * @param warmUpSeconds         the start that distributions and allocation leave out
 * @param ticks                 ticks published here
 * @param filledTicks           those of which poses were predicted, because they did not arrive in time
 * @param frames                frames shown
 * @param missedFrameSlots      slots, or periods of the display, without a frame because the one before took too long
 * @param windowsChecked        windows whose snapshots were verified after their last use
 * @param tornSnapshots         snapshots whose checksum differed when read
 * @param nonConsecutiveWindows pairs of snapshots in a window with a gap between them
 * @param misplacedFrames       frames that drew another time than their clock said
 * @param uncountedRepeats      frames that drew the same as the one before without a hold being counted
 * @param holds                 frames that had to show the newest snapshot because the next was missing
 * @param allocatedBytesPerFrame bytes the render thread allocated per frame
 * @param bytesPerSecond        bytes that arrived in a second
 * @param packets               packets that arrived
 * @param packetsLost           packets that did not
 * @param packetsRefused        packets that were of no use
 * @param playoutMillis         how long ticks wait here, measured from the fastest way that any has taken
 * @param ageMillis             how old the picture is on average: look-behind and wait
 * @param streams               how many senders there were, one after the other
 * @param frameIntervalMicros   between the ends of two frames
 * @param lookBehindMicros      how far behind the timeline the picture is
 * @param slotErrorMicros       animation error by display slot, absolute
 * @param realErrorMicros       animation error by completion, absolute
 * @param java                  the JVM it ran on
 * @param failure               what ended it early, empty if nothing
 */
record WatchResult(
        String address,
        int bodies,
        double tickHz,
        double fps,
        int seconds,
        double warmUpSeconds,
        long ticks,
        long filledTicks,
        long frames,
        long missedFrameSlots,
        long windowsChecked,
        long tornSnapshots,
        long nonConsecutiveWindows,
        long misplacedFrames,
        long uncountedRepeats,
        long holds,
        double allocatedBytesPerFrame,
        double bytesPerSecond,
        long packets,
        long packetsLost,
        long packetsRefused,
        double playoutMillis,
        double ageMillis,
        long streams,
        Summary frameIntervalMicros,
        Summary lookBehindMicros,
        Summary slotErrorMicros,
        Summary realErrorMicros,
        String java,
        String failure) {

    private static final Table<String[]> COUNTS =
            new Table<String[]>().left("", row -> row[0]).left("", row -> row[1]);
    private static final Table<Named> DISTRIBUTIONS = Table.ofDurations(Named::name, Named::micros);

    private record Named(String name, Summary micros) {}

    /** What the library promises of any network and this run broke. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (!failure.isEmpty()) {
            faults.add("watching ended early: " + failure);
        }
        if (frames == 0 || windowsChecked == 0) {
            faults.add(frames + " frames were shown, which shows nothing");
        }
        if (tornSnapshots != 0) {
            faults.add(tornSnapshots + " snapshots were torn");
        }
        if (nonConsecutiveWindows != 0) {
            faults.add(nonConsecutiveWindows + " windows had a gap");
        }
        if (misplacedFrames != 0) {
            faults.add(misplacedFrames + " frames showed another time than their clock said");
        }
        if (uncountedRepeats != 0) {
            faults.add(uncountedRepeats + " frames repeated the one before without being counted as holds");
        }
        return faults;
    }

    /** How the library and the network did, a line each. */
    List<String> verdicts() {
        return List.of(
                faults().isEmpty()
                        ? "Library: every promise held: nothing torn, no gap, every frame at its time."
                        : "Library: " + faults().size() + " promises were broken, see below.",
                String.format(
                        Locale.ROOT,
                        "Network: %,d of %,d packets lost, %,d of %,d ticks filled; the picture is %.1f ms old.",
                        packetsLost,
                        packets + packetsLost,
                        filledTicks,
                        ticks,
                        ageMillis));
    }

    String headline() {
        return String.format(
                Locale.ROOT, "%s, %,d bodies: watched for %d s at %.4g frames a second", address, bodies, seconds, fps);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(headline()).append(System.lineSeparator());
        verdicts().forEach(verdict -> text.append(verdict).append(System.lineSeparator()));
        faults().forEach(fault -> text.append("FAULT: ").append(fault).append(System.lineSeparator()));
        text.append(System.lineSeparator());
        text.append(COUNTS.textWithoutBorders(counts())).append(System.lineSeparator());
        text.append(System.lineSeparator()).append(DISTRIBUTIONS.text(distributions()));
        return text.toString();
    }

    /** What the template of the main job's page needs, without plots and pictures. */
    Map<String, Object> forPage() {
        return Map.of(
                "title", headline(),
                "java", java,
                "warmUp", warmUpSeconds,
                "counts", COUNTS.forPage(counts()),
                "distributions", DISTRIBUTIONS.forPage(distributions()),
                "faults", faults(),
                "verdicts", verdicts());
    }

    private List<String[]> counts() {
        return List.of(
                row("ticks", "%,d at %.4g Hz, %,d of them filled", ticks, tickHz, filledTicks),
                row("frames", "%,d (%,d slots missed, %,d holds)", frames, missedFrameSlots, holds),
                row("torn snapshots", "%,d in %,d checks of a window", tornSnapshots, windowsChecked),
                row("windows with a gap", "%,d", nonConsecutiveWindows),
                row("misplaced frames", "%,d, and %,d repeats", misplacedFrames, uncountedRepeats),
                row("received", "%,.0f bytes a second", bytesPerSecond),
                row("packets", "%,d, %,d lost, %,d of no use", packets, packetsLost, packetsRefused),
                row("wait for late packets", "%.1f ms", playoutMillis),
                row("age of the picture", "%.1f ms, and the fastest way of a packet", ageMillis),
                row("servers", "%,d", streams),
                row("allocated per frame", "%,.1f bytes", allocatedBytesPerFrame));
    }

    private List<Named> distributions() {
        return List.of(
                new Named("frame interval", frameIntervalMicros),
                new Named("look-behind", lookBehindMicros),
                new Named("slot error", slotErrorMicros),
                new Named("real error", realErrorMicros));
    }

    private static String[] row(String name, String format, Object... values) {
        return new String[] {name, String.format(Locale.ROOT, format, values)};
    }
}
