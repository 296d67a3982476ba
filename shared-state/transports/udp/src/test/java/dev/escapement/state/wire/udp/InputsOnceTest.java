package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guarantee 3 of a server: each input event exactly once and in order, over anything that a network does. */
class InputsOnceTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldTakeEachEventOnceAndInOrder(long seed) {
        EndpointFixture fixture = new EndpointFixture(seed);
        TestNetwork network = fixture.network;
        Access access = seed % 2 == 0 ? EndpointFixture.KEY : EndpointFixture.PLAIN;
        fixture.newRing(seed % 3 == 0 ? 8 : 1024); // 8: it is full most of the time
        network.lost = 0.3;
        network.repeated = 0.2;
        network.maxNanos = 80 * TestNetwork.MILLI;
        fixture.serve(access);
        ClientEndpoint client = fixture.connect(1, access);
        int port = 1;
        int offered = 0;
        List<Integer> taken = new ArrayList<>();
        for (int round = 0; round < 1500; round++) {
            for (int events = network.random.nextInt(6); events > 0; events--) {
                if (fixture.offer(client, offered)) {
                    offered++;
                }
            }
            if (network.random.nextInt(300) == 0) { // away, for up to 8 s
                network.lost = 1;
                network.run(network.random.nextInt(8000));
                network.lost = 0.3;
            }
            if (network.random.nextInt(300) == 0) {
                network.move(TestNetwork.address(port), TestNetwork.address(++port));
            }
            network.run(network.random.nextInt(20));
            taken.addAll(fixture.taken());
        }
        for (int i = 0; i < 2000; i++) {
            network.run(20);
            taken.addAll(fixture.taken());
        }
        assertThat(offered).isGreaterThan(1000);
        assertThat(taken).isEqualTo(IntStream.range(0, offered).boxed().toList());
    }

    @Test
    void shouldSendAgainToARestartedServerWhatWasNotAcknowledged() {
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
        for (int i = 0; i < 2000; i++) {
            offered += fixture.offer(client, offered) ? 1 : 0;
            fixture.network.run(20);
        }
        assertThat(offered).isBetween(512, 1024);
        fixture.serve(EndpointFixture.PLAIN);
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            fixture.network.run(10);
            taken.addAll(fixture.taken());
        }
        assertThat(taken).isEqualTo(IntStream.range(0, offered).boxed().toList());
        assertThat(fixture.offer(client, 0)).isTrue();
    }

    /** A key that stays down for a second costs a packet every 100 ms before a world comes, an event one every 10 ms until it is taken. */
    @Test
    void shouldBeQuietWhenNothingHappens() {
        EndpointFixture fixture = new EndpointFixture(1);
        ServerEndpoint server = fixture.serve(EndpointFixture.PLAIN);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.PLAIN);
        fixture.network.run(1000);
        long before = client.count(Traffic.PACKETS_OUT);
        long serverBefore = server.count(Traffic.PACKETS_OUT);
        fixture.offer(client, 1);
        fixture.network.run(1000);
        assertThat(client.count(Traffic.PACKETS_OUT) - before).isBetween(10L, 15L);
        assertThat(server.count(Traffic.PACKETS_OUT) - serverBefore).isBetween(2L, 4L);
    }
}
