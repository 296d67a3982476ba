package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.PictureResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was measured of a world of another process, under the names of the JSON file's keys.
 *
 * @param address        where the world is served
 * @param bodies         bodies shown at the end
 * @param tickHz         ticks per second
 * @param seconds        how long it was watched at most
 * @param warmUpSeconds  the start that distributions and allocation leave out
 * @param ticks          ticks published here
 * @param filledTicks    those of which poses were predicted, because they did not arrive in time
 * @param picture        how it was shown
 * @param bytesPerSecond bytes that arrived in a second
 * @param packets        packets that arrived
 * @param packetsLost    packets that did not
 * @param packetsRefused packets that were of no use
 * @param playoutMillis  how long ticks wait here, measured from the fastest way that any has taken
 * @param ageMillis      how old the picture is on average: look-behind, wait, and silence
 * @param silentSeconds  how long nothing came, where that was a second or more
 * @param silentSecondsAtEnd how much of that lasted until the end, 0 if something came in the last second
 * @param streams        how many senders there were, one after the other
 * @param packetLatencyMicros how long packets took; only where the transport tells it
 * @param transport      what the transport itself has counted, under its names
 * @param java           the JVM it ran on
 * @param failure        what ended it early, empty if nothing
 */
record WatchResult(
        String address,
        int bodies,
        double tickHz,
        int seconds,
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
        double silentSeconds,
        double silentSecondsAtEnd,
        long streams,
        Distribution.@Nullable Summary packetLatencyMicros,
        Map<String, Long> transport,
        String java,
        String failure) {

    /** What the library promises over any network and was broken here. */
    List<String> faults() {
        List<String> faults = new ArrayList<>(picture.faults(ticks));
        if (!failure.isEmpty()) {
            faults.add(0, "watching ended early: " + failure);
        }
        return faults;
    }

    /** How the network did, and with it the server, in a sentence. */
    String networkVerdict() {
        String silence = silentSeconds == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "nothing came for %.1f s, the last %.1f of them until the end; ",
                        silentSeconds,
                        silentSecondsAtEnd);
        return String.format(
                Locale.ROOT,
                "Network: %s%,d of %,d packets lost, %,d of %,d ticks filled; the picture is %,.1f ms old on average.",
                silence,
                packetsLost,
                packets + packetsLost,
                filledTicks,
                ticks,
                ageMillis);
    }

    /** The metrics for people. */
    Metrics metrics() {
        String headline = String.format(
                Locale.ROOT,
                "%s, %,d bodies: %s Hz, shown at %s frames a second for %d s",
                address,
                bodies,
                Metrics.number(tickHz),
                Metrics.number(picture.fps()),
                seconds);
        String held = "nothing torn, no gap, every frame at its time";
        return new Metrics(headline, held, networkVerdict(), faults(), this, PictureResult.COMPONENT);
    }
}
