package dev.escapement.physics.platform;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * Calls {@link System#load} for the class loader of a binding. The JVM looks for a native method only in the libraries that its class's
 * loader has loaded, and {@code System.load} loads for its caller. For another class loader than this class's, the caller must be a class
 * of that loader: it is defined beside the binding.
 */
final class LibraryCaller {

    private LibraryCaller() {}

    /** Loads a library. Throws an IllegalAccessException if the module of the binding does not let others define a class. */
    static void load(Class<?> binding, String file) throws Throwable {
        if (binding.getClassLoader() == LibraryCaller.class.getClassLoader()) {
            System.load(file);
            return;
        }
        LibraryCaller.class.getModule().addReads(binding.getModule());
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(binding, MethodHandles.lookup());
        String name = binding.getPackageName() + ".EscapementLibraryCaller";
        Class<?> caller;
        try {
            caller = Class.forName(name, true, binding.getClassLoader()); // of an earlier load
        } catch (ClassNotFoundException e) {
            caller = lookup.defineClass(classFile(name.replace('.', '/')));
        }
        lookup.findStatic(caller, "load", MethodType.methodType(void.class, String.class))
                .invokeExact(file);
    }

    /** Returns a class whose only method is {@code public static void load(String file) { System.load(file); }}. */
    private static byte[] classFile(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(55); // the version of Java 11
        out.writeShort(12); // one more than the entries of the constant pool
        for (String text :
                List.of(name, "java/lang/Object", "java/lang/System", "load", "(Ljava/lang/String;)V", "Code")) {
            out.writeByte(1); // entries 1 to 6: texts
            out.writeUTF(text);
        }
        // Entries 7 to 9: the first three texts as classes; 10: the method's name and type; 11: System.load.
        out.write(new byte[] {7, 0, 1, 7, 0, 2, 7, 0, 3, 12, 0, 4, 0, 5, 10, 0, 9, 0, 10});
        // A public class with one method, public and static, whose only attribute is Code.
        // Code has 17 bytes, a stack of 1, 1 variable, and 5 bytes of instructions.
        for (int number : new int[] {0x21, 7, 8, 0, 0, 1, 0x9, 4, 5, 1, 6, 0, 17, 1, 1, 0, 5}) {
            out.writeShort(number);
        }
        out.write(new byte[] {0x2a, (byte) 0xb8, 0, 11, (byte) 0xb1}); // aload_0, invokestatic 11, return
        out.write(new byte[6]); // no handlers, and no attributes of Code or of the class
        return bytes.toByteArray();
    }
}
