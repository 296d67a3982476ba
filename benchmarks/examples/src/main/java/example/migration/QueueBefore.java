package example.migration;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

final class QueueBefore {

    private QueueBefore() {}

    static void run(World world, Screen screen) {
        ConcurrentLinkedQueue<Double> frames = new ConcurrentLinkedQueue<>();
        ScheduledExecutorService physics = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> ticks = physics.scheduleAtFixedRate(
                () -> {
                    world.step(0.01);
                    frames.add(world.y); // a copy of the world, in a real game
                },
                10,
                10,
                TimeUnit.MILLISECONDS);
        double shown = world.y;
        while (screen.isOpen()) {
            for (Double next = frames.poll(); next != null; next = frames.poll()) {
                shown = next; // the newest of those that wait
            }
            screen.draw(shown);
        }
        ticks.cancel(false);
        physics.shutdown();
    }
}
