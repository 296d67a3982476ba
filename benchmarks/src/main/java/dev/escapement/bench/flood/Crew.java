package dev.escapement.bench.flood;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Producers at work, a thread each. One thread starts them, waits for them and closes this. */
final class Crew implements AutoCloseable {

    private static final long LOOK_MILLIS = 100;

    private final List<Producer> producers;
    private final ExecutorService threads;
    private final List<Future<?>> running = new ArrayList<>();

    private Crew(List<Producer> producers) {
        this.producers = producers;
        threads = Executors.newFixedThreadPool(producers.size());
    }

    /** Lets all of them offer from an instant of the clock on. */
    static Crew start(List<Producer> producers, long originNanos) {
        Crew crew = new Crew(producers);
        for (Producer producer : producers) {
            crew.running.add(crew.threads.submit(() -> producer.run(originNanos)));
        }
        return crew;
    }

    /** Waits until all have offered everything. Afterwards their counts are final, and visible to this thread. */
    void awaitEnd(Runnable look) throws InterruptedException {
        for (Future<?> producer : running) {
            while (!hasEnded(producer)) {
                look.run();
            }
        }
        look.run();
    }

    private static boolean hasEnded(Future<?> producer) throws InterruptedException {
        try {
            producer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException stillOffering) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a producer failed: " + e.getCause(), e.getCause());
        }
    }

    /** Ends those that still offer. */
    @Override
    public void close() {
        producers.forEach(Producer::cancel);
        threads.shutdown();
    }
}
