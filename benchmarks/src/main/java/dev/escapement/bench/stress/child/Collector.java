package dev.escapement.bench.stress.child;

import java.util.List;

/** A garbage collector, with a heap so small that it has to work. */
public enum Collector implements JvmDemand {
    G1("G1", "-XX:+UseG1GC"),
    PARALLEL("PS", "-XX:+UseParallelGC"),
    ZGC("ZGC", "-XX:+UseZGC");

    private final String beanPrefix;
    private final String flag;

    /** The beans of a collector share the start of their names; the rest differs from version to version. */
    Collector(String beanPrefix, String flag) {
        this.beanPrefix = beanPrefix;
        this.flag = flag;
    }

    @Override
    public List<String> flags() {
        return List.of(flag, "-Xmx512m");
    }

    @Override
    public boolean isMetBy(JvmFacts child) {
        return !child.collectors().isEmpty()
                && child.collectors().stream().allMatch(name -> name.startsWith(beanPrefix));
    }

    @Override
    public String toString() {
        return "the collector " + name();
    }
}
