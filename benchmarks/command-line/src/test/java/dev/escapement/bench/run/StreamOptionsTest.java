package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamOptionsTest {

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

    @Test
    void shouldReportTheLatencyAndTheCountersOfAeron() {
        StreamOptions options = new StreamOptions(Map.of());
        for (boolean isAeron : new boolean[] {true, false}) {
            String address = isAeron ? "aeron:udp?control=localhost:20121" : "udp:127.0.0.1:9";
            SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
            try (Link link = Link.watching(options, address, Link.WORLD).apply(receiver)) {
                assertThat(link.latencyMicros().get() != null).isEqualTo(isAeron);
                assertThat(link.counts().get().containsKey("losses-seen")).isEqualTo(isAeron);
            }
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
    void shouldRefuseAUselessKeyOfTheEnvironment(String address, String key, String says) {
        StreamOptions options = new StreamOptions(Map.of(KEY, key));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Link.watching(options, address, Link.WORLD))
                .withMessageContaining(says);
    }
}
