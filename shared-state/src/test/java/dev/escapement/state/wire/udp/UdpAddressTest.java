package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UdpAddressTest {

    @ParameterizedTest
    @ValueSource(strings = {"udp:127.0.0.1:20121", "udp:[::1]:1", "udp:[fe80::1%2]:0", "udp:physics.example.org:65535"})
    void shouldReadWhatItWrites(String text) {
        assertThat(UdpAddress.parse(text)).hasToString(text);
    }

    @Test
    void shouldResolve() {
        assertThat(UdpAddress.parse("udp:[::1]:20121").resolve().getAddress().isLoopbackAddress())
                .isTrue();
        assertThat(UdpAddress.parse("udp:127.0.0.1:20121").resolve())
                .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 20121));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "udp:",
                "127.0.0.1:1",
                "tcp:127.0.0.1:1",
                "udp:127.0.0.1",
                "udp::1",
                "udp:::1:20121",
                "udp:[::1:1",
                "udp:host:",
                "udp:host:-1",
                "udp:host:x",
                "udp:a b:1",
                "udp:[]:1",
                "udp:host:1234567890",
                "udp:host: 1"
            })
    void shouldSayHowAnAddressIsWritten(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UdpAddress.parse(text))
                .withMessageContaining("udp:127.0.0.1:20121")
                .withMessageEndingWith("but not '" + text + "'");
    }

    @Test
    void shouldRefuseAPortThatThereIsNot() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UdpAddress.parse("udp:127.0.0.1:65536"))
                .withMessageContaining("65535, but is 65536");
    }

    @Test
    void shouldNeedAKeyWhereOtherMachinesReach() throws UnknownHostException {
        InetSocketAddress open = new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 20121);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.thisMachine().check(open))
                .withMessageContaining("0.0.0.0")
                .withMessageContaining("Access.key(...)")
                .withMessageContaining("Access.unauthenticated()");
        assertThatCode(() -> Access.unauthenticated().check(open)).doesNotThrowAnyException();
        assertThatCode(() -> Access.key(new byte[16]).check(open)).doesNotThrowAnyException();
        assertThatCode(() -> Access.thisMachine().check(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "udp:239.255.20.121:1, true",
        "udp:224.0.0.1:1,      true",
        "udp:[ff01::7]:1,      true",
        "udp:223.1.1.1:1,      false",
        "udp:240.1.1.1:1,      false",
        "udp:[fe80::1]:1,      false",
        "udp:ffab:1,           false",
        "udp:localhost:1,      false"
    })
    void shouldKnowGroups(String address, boolean isGroup) {
        assertThat(UdpAddress.parse(address).isMulticast()).isEqualTo(isGroup);
    }
}
