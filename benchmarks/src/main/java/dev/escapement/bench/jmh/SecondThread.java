package dev.escapement.bench.jmh;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A thread that blends along with the benchmark's own: both take a few blocks at a time until none is left. It spins while it waits, so
 * that the figures are those of the work and not of waking a thread.
 */
@State(Scope.Thread)
public class SecondThread implements Runnable {

    /** Work on the blocks from the first number to before the second. */
    interface Blocks {
        void work(int fromBlock, int toBlock);
    }

    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger started = new AtomicInteger();
    private @Nullable Thread thread;
    private volatile int finished;
    private volatile boolean stopped;
    private Blocks work = (fromBlock, toBlock) -> {};
    private int blocks;

    @Setup
    public void start() {
        Thread second = new Thread(this, "second");
        second.start();
        thread = second;
    }

    @TearDown
    public void stop() throws InterruptedException {
        stopped = true;
        Objects.requireNonNull(thread).join();
    }

    void share(int count, Blocks what) {
        blocks = count;
        work = what;
        next.set(0);
        int round = started.incrementAndGet();
        takeBlocks();
        while (finished != round) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void run() {
        while (!stopped) {
            if (started.get() == finished) {
                Thread.onSpinWait();
            } else {
                takeBlocks();
                finished = started.get();
            }
        }
    }

    private void takeBlocks() {
        int few = Math.min(4, (blocks + 7) / 8);
        for (int b = next.getAndAdd(few); b < blocks; b = next.getAndAdd(few)) {
            work.work(b, Math.min(b + few, blocks));
        }
    }
}
