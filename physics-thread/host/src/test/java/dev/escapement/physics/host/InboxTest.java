package dev.escapement.physics.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InboxTest {

    private final Crew crew = Hosts.crew(1);
    private final Inbox inbox = new Inbox(() -> {});
    private final Seat[] seats = new Seat[6];

    InboxTest() {
        for (int i = 0; i < seats.length; i++) {
            seats[i] = Hosts.seat(crew, 1);
        }
    }

    private static List<Seat> list(@Nullable Seat first) {
        List<Seat> list = new ArrayList<>();
        for (Seat seat = first; seat != null; seat = seat.nextSignalled) {
            list.add(seat);
        }
        return list;
    }

    /** The seat that has waited longest comes first. Else seats that are signalled in each of their slices would always come before it. */
    @Test
    void shouldServeWhatHasWaitedLongestFirst() {
        inbox.add(seats[0]);
        inbox.add(seats[1]);
        inbox.add(seats[2]);
        Seat first = Objects.requireNonNull(inbox.takeOldest());
        assertThat(list(first)).containsExactly(seats[0], seats[1], seats[2]);
        inbox.putBack(first.nextSignalled);
        inbox.add(seats[0]);
        Seat next = Objects.requireNonNull(inbox.takeOldest());
        assertThat(list(next)).containsExactly(seats[1], seats[2]);
        inbox.putBack(next.nextSignalled);
        assertThat(list(inbox.takeOldest())).containsExactly(seats[2]);
        assertThat(list(inbox.takeOldest())).containsExactly(seats[0]);
        assertThat(inbox.takeOldest()).isNull();
    }

    @Test
    void shouldGiveAnotherWorkerAll() {
        inbox.add(seats[3]);
        inbox.add(seats[4]);
        inbox.putBack(inbox.takeOldest());
        inbox.add(seats[5]);
        inbox.add(seats[0]);
        assertThat(list(inbox.takeAll())).containsExactly(seats[3], seats[4], seats[5], seats[0]);
        assertThat(inbox.takeAll()).isNull();
        inbox.add(seats[1]);
        assertThat(list(inbox.takeAll())).containsExactly(seats[1]);
    }
}
