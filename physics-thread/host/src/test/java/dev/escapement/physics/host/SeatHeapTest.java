package dev.escapement.physics.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeatHeapTest {

    @Test
    void shouldGiveTheEarliestFirstWhateverComesBetween() {
        Random random = new Random(1);
        SeatHeap heap = new SeatHeap();
        PriorityQueue<Long> expected = new PriorityQueue<>();
        Seat seat = Hosts.seat(Hosts.crew(1), 1);
        for (int i = 0; i < 10_000; i++) {
            if (expected.isEmpty() || random.nextInt(5) < 3) {
                long nanos = random.nextInt(1000);
                expected.add(nanos);
                heap.add(nanos, seat, (int) nanos);
            } else {
                assertThat(heap.firstNanos()).isEqualTo(expected.remove());
                assertThat(heap.firstTicket()).isEqualTo(heap.firstNanos());
                heap.removeFirst();
            }
            assertThat(heap.isEmpty()).isEqualTo(expected.isEmpty());
        }
    }
}
