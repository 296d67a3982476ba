package dev.escapement.bench.jmh;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** How many bodies a benchmark of poses has: from what fits a core's own cache to what fits none. */
@State(Scope.Thread)
public abstract class BodyCount {

    @Param({"1000", "10000", "100000", "1000000"})
    int bodies;
}
