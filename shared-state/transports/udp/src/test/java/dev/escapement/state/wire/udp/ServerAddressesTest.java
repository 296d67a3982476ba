package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ServerAddressesTest {

    private static final long SECOND = 1_000_000_000;

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - SECOND);
    private final Queue<Runnable> lookUps = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private List<String> answer = List.of();

    private InetAddress[] resolve(String host) throws UnknownHostException {
        asked.add(host);
        if (answer.isEmpty()) {
            throw new UnknownHostException(host);
        }
        return answer.stream().map(ServerAddressesTest::address).toArray(InetAddress[]::new);
    }

    private static InetAddress address(String numbers) {
        try {
            return InetAddress.getByName(numbers);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static List<SocketAddress> at(String... numbers) {
        return Arrays.stream(numbers)
                .<SocketAddress>map(one -> new InetSocketAddress(address(one), 7))
                .toList();
    }

    private ServerAddresses of(Access access) throws UnknownHostException {
        InetAddress given = InetAddress.getByAddress("world.test", new byte[] {127, 0, 0, 1});
        return new ServerAddresses(new InetSocketAddress(given, 7), access, clock, this::resolve, lookUps::add);
    }

    @Test
    void shouldLookANameUpAgainElsewhere() throws UnknownHostException {
        ServerAddresses addresses = of(Access.unauthenticated());
        answer = List.of("::1", "127.0.0.1", "192.0.2.7");
        assertThat(addresses.get()).isEqualTo(at("127.0.0.1"));
        lookUps.remove().run();
        assertThat(addresses.get()).isEqualTo(at("127.0.0.1", "::1", "192.0.2.7"));
        answer = List.of("192.0.2.8");
        clock.advance(5 * SECOND - 1);
        addresses.get();
        assertThat(lookUps).isEmpty();
        clock.advance(1);
        addresses.get();
        clock.advance(30 * SECOND);
        addresses.get();
        assertThat(lookUps).as("one at a time").hasSize(1);
        lookUps.remove().run();
        assertThat(addresses.get()).isEqualTo(at("127.0.0.1", "192.0.2.8"));
        answer = List.of();
        lookUps.remove().run();
        assertThat(addresses.get()).as("the last that is known").isEqualTo(at("127.0.0.1", "192.0.2.8"));
        assertThat(asked).hasSize(3).containsOnly("world.test");
    }

    /** Without a key only addresses of this machine are kept, so that a changed name sends no unsealed packets elsewhere. */
    @Test
    void shouldKeepToThisMachineWithoutAKey() throws UnknownHostException {
        ServerAddresses addresses = of(Access.thisMachine());
        answer = List.of("192.0.2.7", "127.0.0.2", "::1");
        addresses.get();
        lookUps.remove().run();
        assertThat(addresses.get()).isEqualTo(at("127.0.0.1", "127.0.0.2", "::1"));
    }
}
