package dev.escapement.bench.demo;

import java.util.HexFormat;

/**
 * Checks the golden hash of the springs, then steps Bullet's pile, pushed at every tick, and prints the hash of each. {@code .ci/aarch64}
 * runs it on two architectures. A log of Bullet would not replay on both, because the log names the native library of its platform.
 */
final class BulletBitsProgram {

    private static final int BODIES = 100;
    private static final int TICKS = 300;

    private BulletBitsProgram() {}

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
