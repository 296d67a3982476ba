package com.github.stephengold.joltjni;

import com.github.stephengold.joltjni.enumerate.ValidateResult;
import java.util.ArrayList;
import java.util.List;

/** Stands in for the class of jolt-jni 3.2.0: calls all listeners, and of their verdicts the highest counts. */
public final class ContactListenerList extends ContactListener {

    private final List<CustomContactListener> listeners = new ArrayList<>();
    private final CustomContactListener called = new Calling();

    public ContactListenerList() {
        setVirtualAddress(called.va(), false);
    }

    public void pushBack(ContactListener listener) {
        listeners.add(listener instanceof NativeListener filter ? filter.called : (CustomContactListener) listener);
    }

    public int size() {
        return listeners.size();
    }

    private final class Calling extends CustomContactListener {

        @Override
        @SuppressWarnings("EnumOrdinal") // the binding numbers it so
        public int onContactValidate(long body, long other, double x, double y, double z, long result) {
            return listeners.stream()
                    .mapToInt(listener -> listener.onContactValidate(body, other, x, y, z, result))
                    .max()
                    .orElse(ValidateResult.AcceptAllContactsForThisBodyPair.ordinal());
        }

        @Override
        public void onContactAdded(long body, long other, long manifold, long settings) {
            listeners.forEach(listener -> listener.onContactAdded(body, other, manifold, settings));
        }

        @Override
        public void onContactPersisted(long body, long other, long manifold, long settings) {
            listeners.forEach(listener -> listener.onContactPersisted(body, other, manifold, settings));
        }

        @Override
        public void onContactRemoved(long pair) {
            listeners.forEach(listener -> listener.onContactRemoved(pair));
        }
    }
}
