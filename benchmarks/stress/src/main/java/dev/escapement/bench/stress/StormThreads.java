package dev.escapement.bench.stress;

import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A part of the storm that has threads of its own. */
abstract class StormThreads implements Part {

    final Life life;
    private final int count;
    private @Nullable Worker threads;

    StormThreads(Life life, int count) {
        this.life = life;
        this.count = count;
    }

    /** The work of the thread with this index. It must return soon after {@code self} stops running. */
    abstract void work(Worker self, int index);

    /** Returns the random numbers of a thread. They are the same whenever the same life is drawn again. */
    final SplittableRandom random(int index) {
        return new SplittableRandom(
                life.plan.seed() + 31L * getClass().getSimpleName().hashCode() + index);
    }

    @Override
    public final void started() {
        threads = Worker.start(count, "storm-" + getClass().getSimpleName(), this::work);
    }

    @Override
    public final Optional<Throwable> failure() {
        return threads == null ? Optional.empty() : threads.failure();
    }

    @Override
    public final void close() {
        if (threads != null) {
            threads.close();
        }
    }
}
