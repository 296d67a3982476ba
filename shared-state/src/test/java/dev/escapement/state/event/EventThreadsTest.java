package dev.escapement.state.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Streams under real threads. Each assertion holds for every interleaving and depends on no timing. */
class EventThreadsTest {

    private static final int TICKS = 100_000;
    private static final int CONTACTS = 3;

    private final EventHub hub = new EventHub();
    private final ExecutorService threads = Executors.newFixedThreadPool(3);

    private final AtomicBoolean ended = new AtomicBoolean();
    private final CapturedWorld world = new CapturedWorld(1, 1, PoseLayout.PLAIN);
    private @Nullable Snapshot latest;

    @Test
    void shouldAccountForEveryEventWhileSubscribersComeAndGo() throws Exception {
        List<Account> accounts = List.of(new Account(hub.subscribe(4)), new Account(hub.subscribe(1024)));
        try {
            List<Future<?>> running = new ArrayList<>();
            accounts.forEach(account -> running.add(threads.submit(account)));
            running.add(threads.submit(this::comeAndGo));
            for (int tick = 1; tick <= TICKS; tick++) {
                tick(CONTACTS);
            }
            ended.set(true);
            for (Future<?> thread : running) {
                thread.get();
            }
        } finally {
            ended.set(true);
            threads.shutdownNow();
        }
        accounts.forEach(Account::drain);
        tick(0); // delivers the gap events that had no room before
        for (Account account : accounts) {
            account.drain();
            assertThat(account.seen).isEqualTo(1 + (long) TICKS * CONTACTS);
            assertThat(account.missed).isEqualTo(account.stream.missed());
        }
    }

    /**
     * Runs a tick with contacts in reverse order. Each contact carries its tick in y, so that a torn or misplaced event fails the check.
     */
    private void tick(int contacts) throws Exception {
        assertThat(hub.beginTick(false)).isTrue();
        Snapshot before = latest;
        Snapshot now = world.tick(poses -> {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
        });
        latest = now;
        hub.collect(before, now, events -> {
            for (int i = contacts - 1; i >= 0; i--) {
                events.contactBegan(0, EventWriter.NO_BODY, i, (float) now.tick(), 2 * i, 0, 1, 0);
            }
        });
        hub.deliver();
    }

    /** Counts the delivered and the missed events of a subscriber, and checks that each event follows the one before. */
    private final class Account implements Runnable {

        private final EventStream stream;
        private long seen;
        private long missed;

        Account(EventStream stream) {
            this.stream = stream;
        }

        @Override
        public void run() {
            while (!ended.get()) {
                drain();
            }
        }

        void drain() {
            stream.drain(event -> {
                switch (event.kind()) {
                    case GAP -> {
                        seen += event.missed();
                        missed += event.missed();
                    }
                    case SPAWNED -> assertThat(seen++).isZero();
                    default -> {
                        long contact = seen++ - 1;
                        assertThat(event.tick()).isEqualTo(contact / CONTACTS + 1);
                        assertThat(event.x()).isEqualTo((float) (contact % CONTACTS));
                        assertThat(event.y()).isEqualTo((float) event.tick());
                        assertThat(event.z()).isEqualTo(2 * event.x());
                    }
                }
            });
        }
    }

    private void comeAndGo() {
        while (!ended.get()) {
            try (EventStream stream = hub.subscribe(16)) {
                long[] lastTick = new long[1];
                for (int i = 0; i < 10; i++) {
                    stream.drain(event -> {
                        assertThat(event.tick()).isGreaterThanOrEqualTo(lastTick[0]);
                        lastTick[0] = event.lastMissedTick();
                    });
                }
            }
        }
    }
}
