package dev.escapement.bench.stress.world;

import dev.escapement.state.thread.FirstFailure;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Threads that do the same again and again while something else goes on. */
public final class Workers implements AutoCloseable {

    private final List<Worker> workers;

    private Workers(int count, IntConsumer round) {
        workers = IntStream.range(0, count)
                .mapToObj(i -> Worker.start("stress-worker-" + i, worker -> {
                    while (worker.goesOn()) {
                        round.accept(i);
                    }
                }))
                .toList();
    }

    /**
     * Lets threads work as long as something else goes on, and ends them.
     *
     * @param count     how many threads
     * @param round     what each does again and again, a bounded time each; it is told which thread it is, from 0
     * @param meanwhile what goes on, on the calling thread
     * @throws IllegalStateException if a round threw, or a thread does not end
     */
    public static void during(int count, IntConsumer round, Runnable meanwhile) {
        Workers workers = new Workers(count, round);
        try (workers) {
            meanwhile.run();
        }
    }

    /** Ends all of them before it waits for any. */
    @Override
    public void close() {
        workers.forEach(Worker::end);
        FirstFailure failure = new FirstFailure();
        for (Worker worker : workers) {
            try {
                worker.close();
            } catch (IllegalStateException e) {
                failure.add(e);
            }
        }
        failure.cause().ifPresent(cause -> {
            throw new IllegalStateException(cause.getMessage(), cause);
        });
    }
}
