package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.escapement.bench.report.EndRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeAndWatchTest {

    @TempDir
    private Path folder;

    @Test
    void shouldWatchWhatIsServedWithTheSameKey() throws IOException {
        Path key = Files.writeString(folder.resolve("key"), "a key of more than 16 bytes");
        Path otherKey = Files.writeString(folder.resolve("other"), "another key of them");
        CompletableFuture<String> announced = new CompletableFuture<>();
        String line = "run --engine=spring --bodies=20 --seconds=600 --serve=udp:127.0.0.1:0 --key-file=%s --out=%s";
        Object[] args = line.formatted(key, folder.resolve("run")).split(" ");
        CompletableFuture<Executed> served = CompletableFuture.supplyAsync(() -> Executed.observed(
                        said -> {
                            if (said.startsWith("Served at ")) {
                                announced.complete(said.replaceAll("Served at (\\S+);.*", "$1"));
                            }
                        },
                        args))
                .whenComplete((run, thrown) -> announced.complete("nowhere"));
        String address = announced.join();
        // Refused at once: otherwise the command waits for 600 seconds, and the test takes too long.
        Executed refused = Executed.of("watch", address, "--key-file", otherKey, "--seconds", 600, "--out", folder);
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.out())
                .isEqualToIgnoringNewLines("The server at " + address
                        + " refuses: it has another key, or only one side has one;"
                        + " give both the same with --key-file FILE or ESCAPEMENT_KEY.");
        Executed watched = Executed.of("watch", address, "--key-file", key, "--seconds", 4, "--out", folder);
        assertThat(watched.err()).isEmpty();
        EndRequest.make(); // ends the server like Ctrl-C
        assertThat(served.join().exitCode()).as(served.join().out()).isZero();
        JsonObject result = Executed.json(folder.resolve("watch.json"));
        assertThat(result.get("bodies").getAsInt()).isEqualTo(21); // 20 springs and the metronome
        for (String none : List.of("tornSnapshots", "nonConsecutiveWindows")) {
            assertThat(result.get(none).getAsLong()).as(none).isZero();
        }
        for (String some : List.of("frames", "bytesPerSecond", "ageMillis")) {
            assertThat(result.get(some).getAsDouble()).as(some).isPositive();
        }
        assertThat(result.has("packetsLost") && result.has("filledTicks")).isTrue();
        assertThat(watched.out()).contains("Library: ", "Network: ");
    }

    @Test
    void shouldSayThatNoWorldCame() {
        Executed watched = Executed.of("watch", "udp:127.0.0.1:9", "--seconds", 1, "--out", folder);
        assertThat(watched.exitCode()).isEqualTo(1);
        assertThat(watched.out()).contains("No world came", "run --serve 'udp:127.0.0.1:9'");
    }
}
