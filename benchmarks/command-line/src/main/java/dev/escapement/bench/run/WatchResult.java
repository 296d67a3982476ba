package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Figure;
import dev.escapement.bench.measure.PictureResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All metrics of watching a world of another process. The components are named as the keys of the JSON file.
 *
 * @param warmUpSeconds  the start that distributions and allocation leave out
 * @param ticks          ticks published in this process
 * @param filledTicks    ticks with predicted poses, because their packets did not arrive in time
 * @param packetsRefused packets that arrived and were refused
 * @param playoutMillis  the playout delay: how long a tick waits in this process if its packet had the smallest latency of all
 * @param ageMillis      the average age of the picture while ticks arrive: look-behind and playout delay
 * @param silentSecondsAtEnd how long no packet had arrived at the end; 0 if one arrived in the last second
 * @param streams        the number of senders, one after the other
 * @param packetLatencyMicros null if the transport does not report it
 * @param transport      the transport's own counts, under its names
 * @param failure        what ended the watching early; empty if nothing did
 */
record WatchResult(
        String address,
        int bodies,
        double tickHz,
        double seconds,
        double warmUpSeconds,
        long ticks,
        long filledTicks,
        PictureResult picture,
        double bytesPerSecond,
        long packets,
        long packetsLost,
        long packetsRefused,
        double playoutMillis,
        double ageMillis,
        double silentSecondsAtEnd,
        long streams,
        Distribution.@Nullable Summary packetLatencyMicros,
        Map<String, Long> transport,
        String java,
        String failure) {

    List<String> faults() {
        List<String> faults = new ArrayList<>(picture.faults(ticks));
        if (!failure.isEmpty()) {
            faults.add(0, "watching ended early: " + failure);
        }
        return faults;
    }

    String networkVerdict() {
        String silence = silentSecondsAtEnd == 0
                ? ""
                : String.format(Locale.ROOT, "nothing came for the last %.1f s; ", silentSecondsAtEnd);
        return String.format(
                Locale.ROOT,
                "Network: %s%,d of %,d packets lost, %,d of %,d ticks filled; while ticks came, the picture was %,.1f ms old on average.",
                silence,
                packetsLost,
                packets + packetsLost,
                filledTicks,
                ticks,
                ageMillis);
    }

    Metrics metrics() {
        String title = String.format(
                Locale.ROOT,
                "%s, %,d bodies: %s Hz, for a display of %s Hz",
                address,
                bodies,
                Metrics.number(tickHz),
                Metrics.number(picture.fps()));
        List<Figure> figures = new ArrayList<>(picture.figures());
        figures.add(Figure.percent("ticks predicted", 100.0 * filledTicks / Math.max(1, ticks)));
        figures.add(Figure.millis("age of the picture, mean", 1e3 * ageMillis));
        boolean isWell = silentSecondsAtEnd == 0;
        String late = picture.visiblyMissedShare() == 0 ? "" : picture.lateCause(0, 0);
        return new Metrics(
                picture.grade() + (late.isEmpty() ? "." : ": " + late + "."),
                figures,
                title,
                "nothing torn, no gap, every frame at its time",
                List.of(networkVerdict()),
                isWell,
                faults(),
                this,
                PictureResult.COMPONENT);
    }
}
