package com.github.stephengold.joltjni;

/** Stands in for a listener of jolt-jni 3.2.0 that filters natively: Java cannot call it, but Jolt can. */
public final class NativeListener extends ContactListener {

    final CustomContactListener called;

    public NativeListener(CustomContactListener called) {
        this.called = called;
        setVirtualAddress(called.va(), false);
    }
}
