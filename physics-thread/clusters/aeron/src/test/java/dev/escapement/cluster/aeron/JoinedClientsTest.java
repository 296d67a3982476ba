package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.restore.StateBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who is a sender in a cluster, whatever happens to the sessions of its client. */
class JoinedClientsTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long CLIENT = -77;
    private static final long OTHER = 5;

    private final JoinedClients clients = new JoinedClients();

    private List<Integer> leave(long nowNanos) {
        return clients.leave(nowNanos).stream().map(TickRing.Left::sender).toList();
    }

    @Test
    void shouldNumberClientsAsTheyJoin() {
        assertThat(clients.number(CLIENT)).isZero();
        clients.join(CLIENT, 1);
        clients.join(OTHER, 2);
        clients.join(CLIENT, 1);
        assertThat(clients.number(CLIENT)).isEqualTo(1);
        assertThat(clients.number(OTHER)).isEqualTo(2);
    }

    @Test
    void shouldLetAClientLeaveThatClosesItsSession() {
        clients.join(CLIENT, 1);
        clients.join(OTHER, 2);
        clients.ended(1, true, SECOND);
        assertThat(leave(SECOND)).containsExactly(1);
        assertThat(leave(SECOND)).isEmpty();
        clients.join(CLIENT, 3);
        assertThat(clients.number(CLIENT)).as("a number is not given again").isEqualTo(3);
        assertThat(clients.number(OTHER)).isEqualTo(2);
    }

    /** After the death of a leader: the sessions before may end at any time after the next one has begun. */
    @Test
    void shouldKeepAClientThatContinuesInAnotherSession() {
        clients.join(CLIENT, 1);
        clients.heard(CLIENT, 4);
        clients.ended(1, false, SECOND);
        assertThat(leave(100 * SECOND)).isEmpty();
        clients.ended(4, false, 100 * SECOND);
        assertThat(leave(103 * SECOND - 1)).isEmpty();
        clients.heard(CLIENT, 5);
        clients.heard(CLIENT, 4); // a late copy of a message
        clients.ended(1, true, 110 * SECOND);
        assertThat(leave(200 * SECOND)).isEmpty();
        assertThat(clients.number(CLIENT)).isEqualTo(1);
    }

    @Test
    void shouldLetAClientLeaveThatDoesNotReturn() {
        clients.join(CLIENT, 1);
        clients.join(OTHER, 2);
        clients.ended(1, false, SECOND);
        clients.ended(2, false, SECOND + 1);
        assertThat(leave(4 * SECOND - 1)).isEmpty();
        assertThat(leave(4 * SECOND + 1)).containsExactly(1, 2);
        assertThat(leave(4 * SECOND + 1)).isEmpty();
    }

    @Test
    void shouldHaveNoRoomForMoreThanAFrameHas() {
        for (int client = 0; client < JoinedClients.MAX; client++) {
            clients.join(client, client);
        }
        clients.join(CLIENT, 9999);
        assertThat(clients.number(CLIENT)).isEqualTo(JoinedClients.FULL);
        clients.ended(7, true, 0);
        assertThat(leave(0)).containsExactly(8);
        clients.join(CLIENT, 9999);
        assertThat(clients.number(CLIENT)).isEqualTo(1025);
    }

    @Test
    void shouldGoOnAlikeWhenRestored() {
        clients.join(CLIENT, 1);
        clients.join(OTHER, 2);
        clients.ended(1, false, SECOND);
        StateBuffer state = new StateBuffer();
        clients.save(state);
        JoinedClients restored = new JoinedClients();
        restored.restore(new StateBuffer(state.toBytes()));
        for (JoinedClients each : List.of(clients, restored)) {
            assertThat(each.leave(4 * SECOND)).containsExactly(new TickRing.Left(4 * SECOND, 1));
            each.join(3, 3);
            assertThat(each.number(3)).isEqualTo(3);
            assertThat(each.number(OTHER)).isEqualTo(2);
        }
    }
}
