package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A world that one command serves and another one watches. */
class ServeAndWatchTest {

    @TempDir
    private Path folder;

    /** And before that, refuses one that has another key. */
    @Test
    void shouldWatchWhatIsServedWithTheSameKey() throws IOException {
        Path key = Files.writeString(folder.resolve("key"), "a key of more than 16 bytes");
        Path otherKey = Files.writeString(folder.resolve("other"), "another key of them");
        CompletableFuture<String> announced = new CompletableFuture<>();
        PrintWriter out = new PrintWriter(Writer.nullWriter()) {
            @Override
            public void println(String line) {
                if (line.startsWith("Served at ")) {
                    announced.complete(line.replaceAll("Served at (\\S+);.*", "$1"));
                }
            }
        };
        String[] args = {
            "run",
            "--engine=spring",
            "--bodies=20",
            "--seconds=4",
            "--serve=udp:127.0.0.1:0",
            "--key-file=" + key,
            "--out=" + folder.resolve("run")
        };
        CompletableFuture<Integer> served = CompletableFuture.supplyAsync(() -> {
            int exitCode = Escapement.commandLine().setOut(out).execute(args);
            announced.complete("nowhere"); // if it was not announced
            return exitCode;
        });
        String address = announced.join();
        Path json = folder.resolve("watch.json");
        // It ends long before its seconds are over.
        Executed refused = Executed.of("watch", address, "--key-file", otherKey, "--seconds", 600, "--out", folder);
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.out())
                .isEqualToIgnoringNewLines(
                        "The server at " + address
                                + " refuses: it has another key, or only one side has one; give both the same with --key-file FILE or ESCAPEMENT_KEY.");
        Executed watched = Executed.of("watch", address, "--key-file", key, "--seconds", 2, "--out", folder);
        assertThat(watched.err()).isEmpty();
        assertThat(served.join()).as("every promise held while it was watched").isZero();
        JsonObject result = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertThat(result.get("frames").getAsLong()).isPositive();
        assertThat(result.get("bodies").getAsInt()).isEqualTo(21); // with the metronome
        assertThat(result.get("tornSnapshots").getAsLong()).isZero();
        assertThat(result.get("nonConsecutiveWindows").getAsLong()).isZero();
        assertThat(result.get("bytesPerSecond").getAsDouble()).isPositive();
        assertThat(result.get("ageMillis").getAsDouble()).isPositive();
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
