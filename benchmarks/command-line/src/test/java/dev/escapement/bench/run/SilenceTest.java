package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a watch says of a server that says nothing, on a manual clock. */
class SilenceTest {

    private static final long LOOK_NANOS = 2_000_000;
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final List<String> said = new ArrayList<>();
    private final Silence silence = new Silence(said::add);
    private final ManualClock clock = new ManualClock(0);
    private long cameNanos;

    private void lookFor(double seconds, boolean comes) {
        for (long nanos = 0; nanos < seconds * SECOND_NANOS; nanos += LOOK_NANOS) {
            clock.advance(LOOK_NANOS);
            cameNanos = comes ? clock.nanoTime() : cameNanos;
            silence.look(clock.nanoTime() - cameNanos);
        }
    }

    @Test
    void shouldTellASilenceWhileItLasts() {
        lookFor(5, true);
        lookFor(0.9, false);
        lookFor(1, true);
        assertThat(said).as("late packets").isEmpty();
        lookFor(1.5, false);
        assertThat(said).containsExactly("Nothing has come for 1 s: the picture stands still and grows old.");
        lookFor(3, false);
        lookFor(1, true);
        assertThat(said)
                .containsExactly(
                        "Nothing has come for 1 s: the picture stands still and grows old.",
                        "Nothing has come for 2 s: the picture stands still and grows old.",
                        "Nothing has come for 4 s: the picture stands still and grows old.",
                        "It comes again, after 4.5 s.");
    }

    /** The age is the mean over all looks of how long nothing had come, where that was a silence. */
    @Test
    void shouldMakeThePictureOlder() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Silence drawn = new Silence(said::add);
            double all = 0;
            double ages = 0;
            double watched = 0;
            double last = 0;
            for (int i = 0; i < 20; i++) {
                double seconds = random.nextDouble() * 3;
                for (double s = 0; s < seconds; s += 0.001) {
                    drawn.look((long) (s * 1e9));
                }
                watched += seconds;
                last = seconds >= 1 ? seconds : 0;
                all += last;
                ages += last * last / 2;
            }
            Silence.Lasted lasted = drawn.end(watched);
            assertThat(lasted.seconds()).isCloseTo(all, within(0.1));
            assertThat(lasted.secondsAtEnd()).isCloseTo(last, within(0.002));
            assertThat(lasted.meanAgeMillis()).isCloseTo(1e3 * ages / watched, within(10.0));
        }
    }

    /** A server that dies after a fifth of the time. */
    @Test
    void shouldSayInTheVerdictForHowLongNothingCame() {
        lookFor(2, true);
        lookFor(8, false);
        Silence.Lasted lasted = silence.end(10);
        assertThat(lasted.meanAgeMillis()).isCloseTo(3200, within(10.0));
        JsonObject json = new Gson().fromJson("{'picture': {'windowsChecked': 7}, 'ticks': 100}", JsonObject.class);
        json.addProperty("address", "udp:127.0.0.1:1");
        json.addProperty("failure", "");
        json.addProperty("java", "a JVM");
        json.add("transport", new JsonObject());
        json.addProperty("ageMillis", 12.8 + lasted.meanAgeMillis());
        json.addProperty("silentSeconds", lasted.seconds());
        json.addProperty("silentSecondsAtEnd", lasted.secondsAtEnd());
        assertThat(new Gson().fromJson(json, WatchResult.class).networkVerdict())
                .isEqualTo(
                        "Network: nothing came for 8.0 s, the last 8.0 of them until the end; 0 of 0 packets lost, 0 of 100"
                                + " ticks filled; the picture is 3,212.8 ms old on average.");
        json.addProperty("silentSeconds", 0);
        assertThat(new Gson().fromJson(json, WatchResult.class).networkVerdict())
                .startsWith("Network: 0 of 0 packets");
    }
}
