package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests guarantee 3 of {@link ServerEndpoint}: each input event enters exactly once and in order, whatever a network does. */
class InputsOnceTest {

    private final int[] ports = {1, 2};
    private final Set<List<Integer>> sendersAndClients = new HashSet<>();
    private final List<List<Integer>> taken = List.of(new ArrayList<>(), new ArrayList<>());

    /** Two clients play at once. Each loses its connection and changes its address. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldTakeEachEventOnceAndInOrder(long seed) {
        EndpointFixture fixture = new EndpointFixture(seed);
        TestNetwork network = fixture.network;
        Access access = seed % 2 == 0 ? EndpointFixture.KEY : EndpointFixture.PLAIN;
        fixture.newRing(seed % 3 == 0 ? 8 : 1024); // a ring of 8 is full most of the time
        network.lost = 0.3;
        network.repeated = 0.2;
        network.maxNanos = 80 * TestNetwork.MILLI;
        fixture.serve(access);
        List<ClientEndpoint> clients = List.of(fixture.connect(1, access), fixture.connect(2, access));
        int[] offered = new int[2];
        for (int round = 0; round < 1500; round++) {
            for (int events = network.random.nextInt(12); events > 0; events--) {
                int client = events % 2;
                offered[client] += fixture.offer(clients.get(client), 2 * offered[client] + client) ? 1 : 0;
            }
            disturb(network, round % 2);
            network.run(network.random.nextInt(20));
            take(fixture);
        }
        for (int i = 0; i < 2000; i++) {
            network.run(20);
            take(fixture);
        }
        for (int client = 0; client < 2; client++) {
            int parity = client;
            assertThat(offered[client]).isGreaterThan(1000);
            assertThat(taken.get(client))
                    .isEqualTo(IntStream.range(0, offered[client])
                            .map(n -> 2 * n + parity)
                            .boxed()
                            .toList());
        }
        assertThat(sendersAndClients)
                .extracting(pair -> pair.get(0))
                .hasSizeGreaterThanOrEqualTo(2)
                .doesNotHaveDuplicates();
    }

    private void disturb(TestNetwork network, int client) {
        if (network.random.nextInt(300) == 0) { // the clients are away for up to 8 s
            network.lost = 1;
            network.run(network.random.nextInt(8000));
            network.lost = 0.3;
        }
        if (network.random.nextInt(300) == 0) {
            network.move(TestNetwork.address(ports[client]), TestNetwork.address(ports[client] += 2));
        }
    }

    /** Takes the sampled events. Even codes belong to the first client, odd ones to the second. */
    private void take(EndpointFixture fixture) {
        long nowNanos = fixture.network.clock.nanoTime();
        InputFrame frame = fixture.sampler.sample(nowNanos, nowNanos);
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            if (event.kind() == InputKind.APPLICATION) {
                int client = event.code() % 2;
                sendersAndClients.add(List.of(event.sender(), client));
                taken.get(client).add(event.code());
            }
        }
    }

    /** The server releases an absent client's keys. Events after its return arrive once each, and what is still held is held again. */
    @Test
    void shouldResumeWhereItWasWhenItComesBack() {
        EndpointFixture fixture = new EndpointFixture(1);
        TestNetwork network = fixture.network;
        fixture.serve(EndpointFixture.KEY);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.KEY);
        network.run(100);
        fixture.offer(client, 1);
        press(fixture, client, 11);
        network.run(100);
        assertThat(fixture.taken()).containsExactly(1);
        assertThat(isHeld(fixture, 11)).isTrue();
        network.lost = 1;
        fixture.offer(client, 2);
        network.run(6000);
        assertThat(isHeld(fixture, 11)).isFalse();
        fixture.offer(client, 3);
        press(fixture, client, 12);
        network.lost = 0;
        network.run(1000);
        assertThat(fixture.taken()).containsExactly(2, 3);
        assertThat(isHeld(fixture, 11)).isTrue();
        assertThat(isHeld(fixture, 12)).isTrue();
        assertThat(client.sessions()).isEqualTo(2);
    }

    private static void press(EndpointFixture fixture, ClientEndpoint client, int key) {
        client.inputs().offer(fixture.network.clock.nanoTime(), InputKind.KEY_DOWN, key, 0, 0);
    }

    private static boolean isHeld(EndpointFixture fixture, int key) {
        long nowNanos = fixture.network.clock.nanoTime();
        return fixture.sampler.sample(nowNanos, nowNanos).state().isKeyDown(key);
    }

    /** A server is away for 0 to 950 ms. The next one has the held key, once, within a round trip and a tenth of a second. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHoldKeysAtARestartedServer(boolean sealed) {
        Access access = sealed ? EndpointFixture.KEY : EndpointFixture.PLAIN;
        for (int awayMillis = 0; awayMillis < 1000; awayMillis += 50) {
            EndpointFixture fixture = new EndpointFixture(awayMillis);
            fixture.serve(access);
            ClientEndpoint client = fixture.connect(1, access);
            fixture.network.run(100);
            press(fixture, client, 11);
            press(fixture, client, 12);
            client.inputs().offer(fixture.network.clock.nanoTime(), InputKind.KEY_UP, 12, 0, 0);
            client.inputs().offer(fixture.network.clock.nanoTime(), InputKind.POINTER_DOWN, 0, 320, 200);
            fixture.network.run(100);
            fixture.network.remove(EndpointFixture.SERVER);
            fixture.network.run(awayMillis);
            fixture.newRing(64);
            fixture.serve(access);
            press(fixture, client, 13);
            fixture.network.run(awayMillis == 0 ? 202 : 120);
            InputFrame taken =
                    fixture.sampler.sample(fixture.network.clock.nanoTime(), fixture.network.clock.nanoTime());
            assertThat(taken.state().isKeyDown(11))
                    .as("away for %d ms", awayMillis)
                    .isTrue();
            assertThat(taken.state().isKeyDown(12)).isFalse();
            assertThat(IntStream.range(0, taken.size())
                            .mapToObj(taken::event)
                            .filter(event -> event.kind() != InputKind.SENDER_JOINED)
                            .map(event -> event.kind() + " " + event.code() + " at " + event.x() + ", " + event.y()))
                    .containsExactlyInAnyOrder(
                            "KEY_DOWN 11 at 0.0, 0.0", "POINTER_DOWN 0 at 320.0, 200.0", "KEY_DOWN 13 at 0.0, 0.0");
            assertThat(client.sessions()).isEqualTo(2);
        }
    }

    @Test
    void shouldResendUnacknowledgedInputToARestartedServer() {
        EndpointFixture fixture = new EndpointFixture(1);
        fixture.serve(EndpointFixture.KEY);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.KEY);
        fixture.network.run(100);
        fixture.offer(client, 1);
        fixture.network.run(100);
        assertThat(fixture.taken()).containsExactly(1);
        fixture.network.remove(EndpointFixture.SERVER);
        fixture.offer(client, 2);
        fixture.network.run(10_000);
        fixture.offer(client, 3);
        fixture.newRing(64);
        fixture.serve(EndpointFixture.KEY);
        fixture.network.run(1000);
        assertThat(fixture.taken()).containsExactly(2, 3);
    }

    @Test
    void shouldRefuseEventsWhileManyWait() {
        EndpointFixture fixture = new EndpointFixture(1);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.PLAIN);
        int offered = 0;
        for (int i = 0; i < 600; i++) {
            offered += fixture.offer(client, offered) ? 1 : 0;
            fixture.network.run(20);
        }
        assertThat(offered).isEqualTo(513);
        fixture.serve(EndpointFixture.PLAIN);
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            fixture.network.run(10);
            taken.addAll(fixture.taken());
        }
        assertThat(taken).isEqualTo(IntStream.range(0, offered).boxed().toList());
        assertThat(IntStream.range(0, 300).filter(code -> fixture.offer(client, code)))
                .as("a burst")
                .hasSize(256);
    }
}
