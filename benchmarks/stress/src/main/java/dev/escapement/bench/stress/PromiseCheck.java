package dev.escapement.bench.stress;

import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.spi.TickHook;

/** Promises of a service, which this checks by other means than the library's. The physics thread calls it as a hook. */
interface PromiseCheck extends TickHook {

    /** Begins to read the service, which was built. */
    default void of(TickingWorld physics) {}

    /** Looks at the running service. The thread that runs, about a hundred times a second. */
    default void look() {}

    /** Ends what it has begun. The service has stopped. */
    default void stopped() {}

    /** Checks what is left of the service, which has stopped and has not failed. */
    default void check() {}
}
