package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A world that one command serves and another one watches. */
class ServeAndWatchTest {

    @TempDir
    private Path folder;

    @Test
    void shouldWatchWhatIsServed() throws IOException {
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
            "--seconds=5",
            "--serve=udp:127.0.0.1:0",
            "--out=" + folder.resolve("run")
        };
        CompletableFuture<Integer> served = CompletableFuture.supplyAsync(() -> {
            int exitCode = Escapement.commandLine().setOut(out).execute(args);
            announced.complete("nowhere"); // if it was not
            return exitCode;
        });
        String address = announced.join();
        Path json = folder.resolve("watch.json");
        Executed watched = Executed.of("watch", address, "--seconds", 4, "--out", folder, "--json", json);
        assertThat(watched.err()).isEmpty();
        served.join();
        JsonObject result = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertThat(result.get("frames").getAsLong()).isPositive();
        assertThat(result.get("bodies").getAsInt()).isEqualTo(21); // with the metronome
        assertThat(result.get("tornSnapshots").getAsLong()).isZero();
        assertThat(result.get("nonConsecutiveWindows").getAsLong()).isZero();
        assertThat(result.get("bytesPerSecond").getAsDouble()).isPositive();
        assertThat(result.get("ageMillis").getAsDouble()).isPositive();
        assertThat(result.has("packetsLost") && result.has("filledTicks")).isTrue();
        assertThat(watched.out()).contains("Library: ", "Network: ");
        assertThat(Files.readString(folder.resolve("watch.html"))).contains(address, "The scene");
    }

    @ParameterizedTest
    @CsvSource({
        "nonsense,           udp:127.0.0.1:20121",
        "udp:192.0.2.1:4000, is not on this machine",
        "udp:127.0.0.1:0,    port",
        "udp:239.255.20.121:20121, take aeron:udp?control=localhost:20121"
    })
    void shouldRefuseWhatIsNoAddress(String address, String says) {
        Executed watched = Executed.of("watch", address, "--seconds", 1);
        assertThat(watched.exitCode()).isEqualTo(2);
        assertThat(watched.err()).contains(says);
    }

    @Test
    void shouldSayThatWhatComesIsNoWorld() throws IOException {
        CompletableFuture<Executed> watched;
        try (DatagramSocket other = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            watched = CompletableFuture.supplyAsync(
                    () -> Executed.of("watch", "udp:127.0.0.1:" + other.getLocalPort(), "--seconds", 2));
            other.setSoTimeout(500);
            DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
            while (!watched.isDone()) {
                try {
                    other.receive(packet);
                    other.send(new DatagramPacket(new byte[100], 100, packet.getSocketAddress()));
                } catch (SocketTimeoutException isOver) {
                    // it is asked again whether the command has ended
                }
            }
        }
        assertThat(watched.join().out())
                .containsPattern(": \\d+ packets came that were of no use, from another version or another program");
    }

    @Test
    void shouldSayThatNoWorldCame() {
        Executed watched = Executed.of("watch", "udp:127.0.0.1:9", "--seconds", 1, "--out", folder);
        assertThat(watched.exitCode()).isEqualTo(1);
        assertThat(watched.out()).contains("No world came", "run --serve udp:127.0.0.1:9");
    }

    @Test
    void shouldRefuseAPortThatIsTakenBeforeAnythingIsBuilt() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            String address = "udp:127.0.0.1:" + taken.getLocalPort();
            Executed run = Executed.of("run", "--engine", "spring", "--serve", address, "--out", folder);
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err()).contains("--serve " + address, "in use", "choose another port");
        }
    }

    @Test
    void shouldNameAeronInsteadOfAGroup() {
        Executed run = Executed.of("run", "--seconds", 1, "--serve", "udp:239.255.20.121:20121", "--out", folder);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains("take aeron:udp?control=localhost:20121 on both sides");
    }

    @Test
    void shouldRefuseToServeOtherMachines() {
        Executed run = Executed.of("run", "--seconds", 1, "--serve", "udp:0.0.0.0:20121", "--out", folder);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--serve udp:0.0.0.0:20121 is not on this machine");
    }
}
