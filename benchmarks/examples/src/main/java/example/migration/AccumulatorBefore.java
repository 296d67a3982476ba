package example.migration;

final class AccumulatorBefore {

    private static final double DT_SECONDS = 0.01;

    private AccumulatorBefore() {}

    static void run(World world, Screen screen) {
        double accumulator = 0;
        double previousY = world.y;
        long previousNanos = System.nanoTime();
        while (screen.isOpen()) {
            long nowNanos = System.nanoTime();
            accumulator += Math.min(0.25, (nowNanos - previousNanos) / 1e9);
            previousNanos = nowNanos;
            while (accumulator >= DT_SECONDS) {
                previousY = world.y;
                world.step(DT_SECONDS);
                accumulator -= DT_SECONDS;
            }
            double alpha = accumulator / DT_SECONDS;
            screen.draw(previousY + alpha * (world.y - previousY));
        }
    }
}
