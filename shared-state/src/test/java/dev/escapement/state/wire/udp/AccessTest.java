package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class AccessTest {

    @Test
    void shouldRefuseAShortKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.key(new byte[15]))
                .withMessageContaining("at least 16 bytes, but has 15");
        assertThat(Access.key(new byte[16])).hasToString("Access[key]");
    }

    @Test
    void shouldNeedAKeyWhereOtherMachinesReach() {
        InetSocketAddress open = new InetSocketAddress(20121);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.thisMachine().check(open))
                .withMessageContaining(open.getAddress().getHostAddress())
                .withMessageContaining("Access.key(...)")
                .withMessageContaining("Access.unauthenticated()");
        assertThatCode(() -> Access.unauthenticated().check(open)).doesNotThrowAnyException();
        assertThatCode(() -> Access.key(new byte[16]).check(open)).doesNotThrowAnyException();
        assertThatCode(() -> Access.thisMachine().check(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldSayThatAHostIsNotKnown() {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> Access.thisMachine().check(InetSocketAddress.createUnresolved("nowhere", 1)))
                .withMessageContaining("'nowhere' is not known");
    }
}
