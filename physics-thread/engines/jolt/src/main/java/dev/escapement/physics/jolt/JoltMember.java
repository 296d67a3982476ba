package dev.escapement.physics.jolt;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A class of jolt-jni, or a method, a constructor or a constant of such a class.
 *
 * @param owner      the internal name of the class, in which {@code ~} stands for the package of jolt-jni
 * @param name       the name of the member, {@code <init>} for a constructor, {@code class} for the class itself
 * @param descriptor the descriptor of a method or constructor; the one of a field after a colon; nothing for a class
 */
record JoltMember(String owner, String name, String descriptor) {

    private static final String PACKAGE = "com/github/stephengold/joltjni/";

    // The tags of entries in the constant pool of a class file (JVM specification, 4.4).
    private static final int UTF8 = 1;
    private static final int INTEGER = 3;
    private static final int FLOAT = 4;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;
    private static final int METHOD_HANDLE = 15;
    private static final int DYNAMIC = 17;
    private static final int INVOKE_DYNAMIC = 18;

    /** Returns the method of a text such as {@code Body.getShape()L~readonly/ConstShape;}, or the class of {@code Body.class}. */
    static JoltMember of(String text) {
        int dot = text.indexOf('.');
        int end = text.indexOf('(');
        int nameEnd = end < 0 ? text.length() : end;
        return new JoltMember("~" + text.substring(0, dot), text.substring(dot + 1, nameEnd), text.substring(nameEnd));
    }

    /**
     * Returns the members of jolt-jni to which a class of this package refers. Returns none if there is no class file, as in a native
     * image, whose builder has linked all calls.
     */
    static Set<JoltMember> referredBy(String className) {
        try (InputStream classFile = JoltMember.class.getResourceAsStream(className + ".class")) {
            return classFile == null ? Set.of() : read(new DataInputStream(classFile));
        } catch (IOException e) {
            throw new UncheckedIOException("the class file of " + className + " could not be read: " + e, e);
        }
    }

    private static Set<JoltMember> read(DataInputStream file) throws IOException {
        file.skipNBytes(8); // the magic number and the version
        int count = file.readUnsignedShort();
        byte[] tags = new byte[count];
        int[] first = new int[count];
        int[] second = new int[count];
        String[] texts = new String[count];
        for (int i = 1; i < count; i++) {
            tags[i] = file.readByte();
            switch (tags[i]) {
                case UTF8 -> texts[i] = file.readUTF();
                case INTEGER, FLOAT -> file.skipNBytes(4);
                case LONG, DOUBLE -> {
                    file.skipNBytes(8);
                    i++; // takes two entries
                }
                case FIELD, METHOD, INTERFACE_METHOD, NAME_AND_TYPE, DYNAMIC, INVOKE_DYNAMIC -> {
                    first[i] = file.readUnsignedShort();
                    second[i] = file.readUnsignedShort();
                }
                case METHOD_HANDLE -> file.skipNBytes(3);
                default -> first[i] = file.readUnsignedShort(); // the name of a class, for example
            }
        }
        Set<JoltMember> members = new TreeSet<>(Comparator.comparing(JoltMember::toString));
        for (int i = 1; i < count; i++) {
            boolean isMember = tags[i] == FIELD || tags[i] == METHOD || tags[i] == INTERFACE_METHOD;
            String in = isMember ? texts[first[first[i]]] : tags[i] == CLASS ? texts[first[i]] : "";
            if (in.startsWith(PACKAGE)) {
                String type = isMember ? texts[second[second[i]]].replace(PACKAGE, "~") : "";
                members.add(new JoltMember(
                        in.replace(PACKAGE, "~"),
                        isMember ? texts[first[second[i]]] : "class",
                        tags[i] == FIELD ? ":" + type : type));
            }
        }
        return members;
    }

    /** Returns the member of the classes of a loader as the JVM would link it; null if there is none. */
    @Nullable
    MethodHandle find(ClassLoader loader) {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        try {
            Class<?> in = Class.forName(owner.replace("~", PACKAGE).replace('/', '.'), false, loader);
            if (name.equals("class")) {
                return MethodHandles.constant(Class.class, in);
            }
            MethodType type = type(loader);
            if (isField()) {
                return lookup.findStaticGetter(in, name, type.returnType()); // a constant of an enumeration
            }
            if (name.equals("<init>")) {
                return lookup.findConstructor(in, type);
            }
            try {
                return lookup.findVirtual(in, name, type);
            } catch (IllegalAccessException e) {
                return findStatic(in, lookup, type);
            }
        } catch (ReflectiveOperationException | TypeNotPresentException e) {
            return null;
        }
    }

    /** Returns a static method: a public one, or else a native one, which jolt-jni hides. */
    private MethodHandle findStatic(Class<?> in, MethodHandles.Lookup lookup, MethodType type)
            throws ReflectiveOperationException {
        try {
            return lookup.findStatic(in, name, type);
        } catch (IllegalAccessException e) {
            return MethodHandles.privateLookupIn(in, MethodHandles.lookup()).findStatic(in, name, type);
        }
    }

    private boolean isField() {
        return descriptor.startsWith(":");
    }

    /** Returns the type of a method, or of the getter of a field, whose classes a loader has. */
    MethodType type(ClassLoader loader) {
        String signature = isField() ? "()" + descriptor.substring(1) : descriptor;
        return MethodType.fromMethodDescriptorString(signature.replace("~", PACKAGE), loader);
    }

    /** Returns the text from which {@link #of} makes the member. */
    @Override
    public String toString() {
        return owner.substring(1) + "." + name + descriptor;
    }
}
