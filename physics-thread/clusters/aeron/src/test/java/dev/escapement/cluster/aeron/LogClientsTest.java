package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Joins and leaves of senders. {@link SeededClusterTest} tests the order of batches. */
class LogClientsTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long CLIENT = -77;
    private static final long OTHER = 5;

    private final LogClients clients = new LogClients(type -> true);
    private final Map<Long, Integer> numbers = new HashMap<>();

    private void take(LogClients by, long client, long nowNanos, Consumer<Batch.Writer> entry) {
        Batch.Writer batch = new Batch.Writer(client);
        entry.accept(batch);
        Batch received = Batch.of(batch.take(numbers.merge(client, 1, Integer::sum)));
        assertThat(by.isNext(received)).isTrue();
        by.take(received, nowNanos);
    }

    private static void join(Batch.Writer batch) {
        batch.role(Batch.JOINS);
    }

    private static void leave(Batch.Writer batch) {
        batch.role(Batch.LEAVES);
    }

    private void join(long client, long nowNanos) {
        take(clients, client, nowNanos, LogClientsTest::join);
    }

    private List<Integer> leave(long nowNanos) {
        return clients.leave(nowNanos).stream().map(TickRing.Left::sender).toList();
    }

    @Test
    void shouldNumberClientsAsTheyJoinUntilTheyLeave() {
        assertThat(clients.sender(CLIENT)).isZero();
        join(CLIENT, SECOND);
        join(OTHER, SECOND);
        take(clients, 6, 0, batch -> batch.time(Batch.Request.PAUSE));
        join(CLIENT, SECOND);
        assertThat(clients.sender(CLIENT)).isEqualTo(1);
        assertThat(clients.sender(6)).as("one that only steers").isZero();
        take(clients, CLIENT, SECOND, LogClientsTest::leave);
        assertThat(leave(SECOND)).containsExactly(1);
        assertThat(leave(SECOND)).isEmpty();
        join(CLIENT, SECOND);
        assertThat(clients.sender(CLIENT)).as("a number is not given again").isEqualTo(3);
        assertThat(clients.sender(OTHER)).isEqualTo(2);
    }

    @Test
    void shouldKeepAClientThatIsHeardInTime() {
        join(CLIENT, 0);
        assertThat(leave(5 * SECOND - 1)).isEmpty();
        take(clients, CLIENT, 5 * SECOND - 1, batch -> batch.time(Batch.Request.PAUSE));
        assertThat(leave(9 * SECOND)).isEmpty();
        assertThat(clients.sender(CLIENT)).isEqualTo(1);
    }

    @Test
    void shouldLetAClientLeaveThatIsSilent() {
        join(CLIENT, 0);
        join(OTHER, 1);
        assertThat(leave(5 * SECOND)).containsExactly(1);
        assertThat(leave(5 * SECOND + 1)).containsExactly(2);
        assertThat(leave(5 * SECOND + 1)).isEmpty();
    }

    @Test
    void shouldHaveNoRoomForMoreThanAFrameHas() {
        for (int client = 0; client < InputFrame.MAX_SENDERS; client++) {
            join(client, client);
        }
        join(CLIENT, 9999);
        assertThat(clients.sender(CLIENT)).isZero();
        take(clients, 7, 9999, LogClientsTest::leave);
        assertThat(leave(9999)).containsExactly(8);
        join(CLIENT, 9999);
        assertThat(clients.sender(CLIENT)).isEqualTo(1025);
    }

    /** Commands of up to 4 MiB in total wait for the next tick, which takes all of them. Commands without a handler take no room. */
    @Test
    void shouldHaveRoomForCommandsUpToABound() {
        LogClients onlyPushes = new LogClients(new CommandName("push", 1)::equals);
        int commands = 0;
        while (onlyPushes.take(command("push", ++commands), 0)) {
            assertThat(onlyPushes.take(command("unhandled", ++commands), 0)).isTrue();
        }
        assertThat(commands / 2).isEqualTo(LogClients.MAX_COMMAND_BYTES / 60_100);
        assertThat(onlyPushes.take(command("unhandled", ++commands), 0)).isTrue();
        onlyPushes.cut();
        assertThat(onlyPushes.take(command("push", ++commands), 0)).isTrue();
    }

    private static Batch command(String name, int number) {
        Batch.Writer batch = new Batch.Writer(CLIENT);
        batch.command(new CommandData(new CommandName(name, 1), new byte[60_000]));
        return Batch.of(batch.take(number));
    }

    @Test
    void shouldContinueAlikeWhenRestored() {
        join(OTHER, 0);
        join(CLIENT, 1);
        join(OTHER, 2);
        StateBuffer state = new StateBuffer();
        clients.save(state);
        LogClients restored = new LogClients(type -> true);
        restored.restore(new StateBuffer(state.toBytes()));
        Map<Long, Integer> before = Map.copyOf(numbers);
        for (LogClients each : List.of(clients, restored)) {
            numbers.putAll(before);
            assertThat(each.leave(5 * SECOND + 1)).containsExactly(new TickRing.Left(5 * SECOND + 1, 2));
            take(each, CLIENT, 6 * SECOND, LogClientsTest::join);
            assertThat(each.sender(CLIENT)).isEqualTo(3);
            assertThat(each.sender(OTHER)).isEqualTo(1);
        }
    }

    /** A restore keeps all saved clients, even a former sender that was kept beyond the limit. */
    @Test
    void shouldRememberTheSameClientsWhenRestored() {
        join(CLIENT, 0);
        for (int other = 0; other < LogClients.MAX_CLIENTS; other++) {
            clients.take(new Batch(other, 1, (byte) 0, new byte[0], List.of(), List.of()), 0);
        }
        assertThat(leave(5 * SECOND)).containsExactly(1);
        StateBuffer state = new StateBuffer();
        clients.save(state);
        LogClients restored = new LogClients(type -> true);
        restored.restore(new StateBuffer(state.toBytes()));
        Batch next = new Batch(CLIENT, 2, (byte) 0, new byte[0], List.of(), List.of());
        assertThat(restored.isNext(next)).isTrue();
        assertThat(clients.isNext(next)).isTrue();
        Batch eldest = new Batch(0, 1, (byte) 0, new byte[0], List.of(), List.of());
        assertThat(clients.isNext(eldest)).as("forgotten, so it counts as new").isTrue();
    }
}
