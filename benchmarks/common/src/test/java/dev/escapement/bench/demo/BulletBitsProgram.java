package dev.escapement.bench.demo;

import java.util.HexFormat;

/**
 * Prints the hash of Bullet's pile after each tick, with pushes at every tick, after a check of the springs' golden hash. {@code
 * .ci/aarch64} runs this on two architectures and compares the output. Logs cannot be compared across them, because a log of Bullet names
 * the native library of its platform.
 */
final class BulletBitsProgram {

    private static final int BODIES = 100;
    private static final int TICKS = 300;

    private BulletBitsProgram() {}

    @SuppressWarnings("JUnitMethodInvoked") // on another processor, where there is no test runner
    public static void main(String[] args) {
        new SpringSimulationTest().shouldReachTheGoldenHash();
        EngineBodies<?> bullet = Engine.BULLET.pile(BODIES);
        try (SeededWorld world = new SeededWorld(bullet, 20, builder -> builder)) {
            for (int tick = 1; tick <= TICKS; tick++) {
                world.run(1, tick);
                System.out.println("tick " + tick + ": " + HexFormat.of().toHexDigits(bullet.hash()));
            }
        }
    }
}
