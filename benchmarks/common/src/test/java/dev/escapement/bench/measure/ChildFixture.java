package dev.escapement.bench.measure;

import java.util.concurrent.locks.LockSupport;

/** A child process that does what it is told. */
public final class ChildFixture {

    private ChildFixture() {}

    /** Does it. */
    public static void main(String[] arguments) {
        switch (arguments[0]) {
            case "fine" -> {}
            case "die" -> {
                System.out.println("before");
                System.err.println("out of luck");
                System.exit(7);
            }
            case "hang" -> {
                while (true) {
                    LockSupport.park();
                }
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
