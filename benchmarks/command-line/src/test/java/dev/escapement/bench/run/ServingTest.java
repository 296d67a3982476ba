package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.bench.demo.Engine;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.UdpLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServingTest {

    private static final int PUSHES = 10;
    private static final String KEY = "ESCAPEMENT_KEY";

    @Test
    void shouldReachOtherMachinesWithAKeyOfTheEnvironment() {
        StreamOptions options = new StreamOptions(Map.of(KEY, "sixteen bytes, or more"));
        assertThat(options.address("ADDRESS", "udp:192.0.2.1:4000").hasKey()).isTrue();
        for (String address : new String[] {"udp:192.0.2.1:4000", "udp:[0:0:0:0:0:0:0:1]:4000"}) {
            InetAddress machine = options.address("ADDRESS", address).socket().getAddress();
            assertThat(StreamOptions.written(machine, 4000)).isEqualTo(address);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "aeron:ipc,         a key of 16 bytes, is not encrypted with a key; take udp:host:port",
        "udp:127.0.0.1:1,   short,             'must have at least 16 bytes, but has 5'",
        "udp:127.0.0.1:1,   '',                'must have at least 16 bytes, but has 0'",
        "udp:no.invalid:1,  a key of 16 bytes, the host 'no.invalid' is not known",
        "udp:239.1.2.3:1,   a key of 16 bytes, take aeron:udp?control=localhost:1 on both sides"
    })
    void shouldRefuseAKeyOfTheEnvironmentThatIsOfNoUse(String address, String key, String says) {
        StreamOptions options = new StreamOptions(Map.of(KEY, key));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Link.watching(options, address))
                .withMessageContaining(says);
    }

    @Test
    void shouldTakeEachInputOfAWatcherOnceAndAccountForIt() {
        StreamOptions keyless = new StreamOptions(Map.of());
        InetSocketAddress address = keyless.free("--serve", "udp:127.0.0.1:0").socket();
        Function<PhysicsService, Link> serving =
                Link.serving(keyless, "udp:127.0.0.1:" + address.getPort(), said -> {});
        RunOptions options = new RunOptions("orbits", 5, 2, TickRate.hertz(100), 0);
        SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
        try (Stage stage = new Stage.Headless(TickRate.hertz(144));
                UdpLoop<ClientEndpoint> watcher =
                        UdpLoop.client(address, Link.WORLD, Access.thisMachine(), receiver, NanoClock.system())) {
            for (int i = 0; i < PUSHES; i++) {
                watcher.endpoint().inputs().offer(System.nanoTime(), InputKind.KEY_DOWN, 300 + i, 0, 0);
            }
            RunResult result = new MainJob(options, World.create(Engine.ORBITS, 5), stage, null, serving)
                    .run(ticks -> {})
                    .result();
            assertThat(result.faults()).isEmpty();
            assertThat(result.inputsAccepted())
                    .as("each key comes up when its watcher is gone")
                    .isEqualTo(2 * PUSHES);
        }
    }
}
